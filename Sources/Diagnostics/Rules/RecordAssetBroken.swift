import Lens
import SQLite
import StoreModel
import Values

extension Rule {
  static let recordAssetBroken = Rule(about) { examination, findings in
    guard examination.tables.has(.encodedRecords) || examination.mirror?.layout.hasAssets == true else {
      throw StoreScopeError(.lacking, "The mirror's layout keeps archives in their owners' rows")
    }
    for tie in ArchiveTie.all(examination.tables) {
      try tie.checkOwners(examination, &findings)
      try tie.checkAssets(examination, &findings)
    }
  }
}

extension ArchiveTie {
  fileprivate func checkOwners(_ examination: Examination, _ findings: inout FindingCollector) throws {
    let columns = ["row", "asset", "assetRow", "assetOwner", "name", "uri"]
    try examination.store.connection.forEachRow(
      brokenOwners.select(columns, "ORDER BY \"row\"")
    ) { row in
      let problem =
        if row.isNull(2) {
          "its row is missing"
        } else if row.optionalInteger(3) != row.integer(0) {
          "its row belongs to another owner"
        } else {
          "its row holds no bytes"
        }
      findings.add(
        object: row.optionalText(5), subject: "\(owners.rawValue) \(row.integer(0)) \(key)",
        [
          .init("table", .text(assets.rawValue)), .init("asset", .integer(row.integer(1))),
          .init("owner", .integer(row.integer(0))), .init("name", .optional(row.optionalText(4))),
          .init("problem", .text(problem)),
        ])
    }
  }

  fileprivate func checkAssets(_ examination: Examination, _ findings: inout FindingCollector) throws {
    try examination.store.connection.forEachRow(
      lostAssets.select(["row", "owner"], "ORDER BY \"row\"")
    ) { row in
      findings.add(
        subject: "\(assets.rawValue) \(row.integer(0))",
        [
          .init("table", .text(assets.rawValue)), .init("asset", .integer(row.integer(0))),
          .init("owner", .optional(row.optionalInteger(1))), .init("name", .null),
          .init("problem", "it has no owner"),
        ])
    }
  }
}

private let about = RuleHeader(
  """
  Rule: record-asset-broken
  Severity: error
  Title: Orphaned record archives
  Shows: A record, link or zone whose archive row is missing, belongs to another owner or is empty, or an archive
    row without an owner.
  Why: Since iOS 26 the mirror keeps its copies from the server in separate tables, and each copy and its owner
    refer to each other. If that is broken, a save fails with NSCocoaErrorDomain 134060, and an export or import
    that touches the record never finishes.
  Next launch: The mirror's saves that touch these rows fail at each launch; a row without an owner only uses disk
    space.
  Remedy: Restore a backup from before the mirror's tables were edited. 'storescope resync STORE --pull' makes the
    next launch fetch every zone again, which rewrites the copies.
  Needs: mirror
  False positives: None known. If a whole table of archives is missing, 'mirror-schema-unknown' reports it.
  Evidence: App authors report the tables and the failing save; the other failures are inferred.
  Message: {count} {archive row is|archive rows are} missing, empty or not tied to {its owner|their owners}; the
    first is row {asset} of {table}: {problem}.
  """)
