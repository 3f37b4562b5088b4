import Lens
import SQLite
import StoreModel
import Values

extension Rule {
  static let recordAssetBroken = Rule(about) { examination, findings in
    guard examination.tables.has(.encodedRecords) || examination.mirror?.layout == .v17 else {
      throw StoreScopeError(.lacking, "The mirror's layout keeps archives in their owners' rows")
    }
    for tie in AssetTie.all where tie.exists(in: examination.tables) {
      try tie.checkOwners(examination, &findings)
      try tie.checkAssets(examination, &findings)
    }
  }
}

/// Two tables whose rows name each other: an owner and its archive.
private struct AssetTie {
  var owners: FrameworkTable
  var key: String
  var assets: FrameworkTable
  var back: String
  /// The owner's column with what people call it by.
  var name: String

  static let all = [
    AssetTie(
      owners: .records, key: "ZENCODEDRECORDASSET", assets: .encodedRecords, back: "ZRECORD",
      name: "ZCKRECORDNAME"),
    AssetTie(
      owners: .records, key: "ZSYSTEMFIELDSASSET", assets: .recordSystemFields, back: "ZRECORD",
      name: "ZCKRECORDNAME"),
    AssetTie(
      owners: .links, key: "ZSYSTEMFIELDSASSET", assets: .linkSystemFields, back: "ZMIRROREDRELATIONSHIP",
      name: "ZCKRECORDID"),
    AssetTie(
      owners: .zones, key: "ZENCODEDSHAREASSET", assets: .encodedShares, back: "ZRECORDZONE",
      name: "ZCKRECORDZONENAME"),
  ]

  func exists(in tables: MirrorTables) -> Bool { tables.has(owners, key) && tables.has(assets, back) }

  func checkOwners(_ examination: Examination, _ findings: inout FindingCollector) throws {
    let tables = examination.tables
    let bytes = ["ZBINARYDATA", "ZEXTERNALBINARYDATA"].map { "\(tables.sql(assets, $0, "a")) IS NULL" }
    let uri =
      owners == .records
      ? "object_uri(\(tables.sql(.records, "ZENTITYID", "o")), \(tables.sql(.records, "ZENTITYPK", "o")))"
      : "NULL"
    try examination.store.connection.forEachRow(
      """
      SELECT o.Z_PK, o.\(key), a.Z_PK, a.\(back), \(tables.sql(owners, name, "o")), \(uri)
      FROM main.\(owners.rawValue) o LEFT JOIN main.\(assets.rawValue) a ON a.Z_PK = o.\(key)
      WHERE o.\(key) IS NOT NULL
        AND (a.Z_PK IS NULL OR a.\(back) IS NOT o.Z_PK OR (\(bytes.joined(separator: " AND "))))
      ORDER BY o.Z_PK
      """
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

  func checkAssets(_ examination: Examination, _ findings: inout FindingCollector) throws {
    // The list of all keys is needed, and made, only where the way back leads nowhere.
    try examination.store.connection.forEachRow(
      """
      SELECT a.Z_PK, a.\(back) FROM main.\(assets.rawValue) a
      WHERE NOT EXISTS (SELECT 1 FROM main.\(owners.rawValue) o WHERE o.Z_PK = a.\(back) AND o.\(key) = a.Z_PK)
        AND COALESCE(a.Z_PK IN (SELECT o.\(key) FROM main.\(owners.rawValue) o), 0) = 0
      ORDER BY a.Z_PK
      """
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
  "record-asset-broken", .error,
  title: "Archives that their owners lost",
  looksFor: """
    A record, link or zone whose archive's row is missing, belongs to another owner or holds no bytes, or such a \
    row without an owner.
    """,
  why: """
    Since iOS 26 the mirror keeps its copies from the server in tables of their own, and each copy and its owner \
    name each other. Where that is broken, a save fails with NSCocoaErrorDomain 134060, and an export or import \
    that touches the record doesn't end.
    """,
  nextLaunch: """
    Saves of the mirror that touch these rows fail, again at each launch; a row without an owner only takes room.
    """,
  remedy: """
    Take the store from a backup of before somebody edited the mirror's tables. 'storescope resync STORE --pull' \
    lets the next launch fetch every zone again, which writes the copies anew.
    """,
  needs: [.mirror],
  falsePositives: """
    None known. Where a table of archives is missing altogether, 'mirror-schema-unknown' says so.
    """,
  evidence: "App authors report the tables and the failing save; what else fails is inferred.",
  message: """
    {count} {archive row is|archive rows are} missing, empty or not tied to {its owner|their owners}; the first is \
    row {asset} of {table}: {problem}.
    """)
