import Lens
import SQLite
import StoreModel
import Values

extension Rule {
  static let tokenMissing = Rule(about) { examination, findings in
    guard let mirror = examination.mirror, try mirror.token.state == .missing,
      let records = mirror.views.records
    else { return }
    let exported = try examination.store.connection.first(
      records.count(["lastExported"], "WHERE lastExported > 0")
    ) { $0.integer(0) }
    guard let exported, exported > 0 else { return }
    let bypassesHistory = try mirror.isSet(MetadataKey.bypassHistory)
    findings.add(
      subject: "token",
      [
        .init("exportedRecords", .integer(exported)),
        .init("bypassesHistory", .bool(bypassesHistory)),
      ])
  }
}

private let about = RuleHeader(
  """
  Rule: token-missing
  Severity: warning
  Title: History token missing
  Shows: Records that were exported, in a store that has no history token.
  Why: The token records how far the mirror has processed history. Without it the next export starts from the
    beginning and uploads everything again; it can't find changes that were pruned from history.
  Next launch: The first export processes all of history, scans for rows without a record, and again uploads
    everything the app ever touched, under the old names. Nothing is deleted or duplicated. A deletion that isn't
    exported yet may be skipped, if history has the object's insertion as well.
  Remedy: Nothing to do; after the next export, 'storescope records STORE --state orphan' lists deletions that were
    skipped. If history was pruned and may have contained pending changes, 'storescope resync STORE --push' uploads
    every object.
  Needs: ANSCKMETADATAENTRY, ANSCKRECORDMETADATA
  False positives: The framework itself removes the token when the server's zone is gone, and 'storescope resync
    STORE --rescan' removes it on purpose; the next export writes a new token. Stores that have only imported so far
    don't count.
  Evidence: App authors report it; the next export's behavior is inferred from their reports.
  Message: There is no history token, although {exportedRecords} of the records were exported: the next export
    processes all of history again.
  """)
