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
    findings.add(
      subject: "token",
      [
        .init("exportedRecords", .integer(exported)),
        .init("bypassesHistory", .bool(try mirror.isSet(MetadataKey.bypassHistory))),
      ])
  }
}

private let about = RuleHeader(
  "token-missing", .warning,
  title: "The last-history token is missing",
  looksFor: "Records that were exported, in a store that has no last-history token.",
  why: """
    The token says up to where the mirror has looked through history. Without it the next export starts from the \
    beginning and sends what was sent before; what was pruned from history it can't find again.
    """,
  nextLaunch: """
    The first export looks at all of history and for rows without a record, and uploads what the app ever touched \
    again, under its old names. Nothing is deleted or doubled.
    """,
  remedy: """
    Nothing has to be done. Where history was pruned and objects may have changed unsent, 'storescope resync STORE \
    --push' uploads every object.
    """,
  needs: [.table(.metadataEntries), .table(.records)],
  falsePositives: """
    The framework removes the token by itself when the server's zone is gone, and 'storescope resync --rescan' \
    does on purpose; it is back after the next export. Stores that only imported so far don't count.
    """,
  evidence: "App authors report it; the course of the next export is inferred from their reports.",
  message: """
    There is no last-history token, though {exportedRecords} of the records were exported: the next export looks \
    at all of history again.
    """)
