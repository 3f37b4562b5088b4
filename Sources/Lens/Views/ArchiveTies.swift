/// Two tables whose rows name each other: an owner and its archive, as since iOS 26.
package struct ArchiveTie: Sendable {
  package let owners: FrameworkTable
  package let assets: FrameworkTable
  /// The column by which an owner names its archive.
  package let key: String
  /// The one by which the archive names its owner.
  private let back: String
  /// The owner's column with what people call it by.
  private let name: String
  private let tables: FrameworkTables

  /// Those whose tables and columns the store has.
  package static func all(_ tables: FrameworkTables) -> [ArchiveTie] {
    [
      ArchiveTie(
        owners: .records, assets: .encodedRecords, key: "ZENCODEDRECORDASSET", back: "ZRECORD",
        name: "ZCKRECORDNAME", tables: tables),
      ArchiveTie(
        owners: .records, assets: .recordSystemFields, key: "ZSYSTEMFIELDSASSET", back: "ZRECORD",
        name: "ZCKRECORDNAME", tables: tables),
      ArchiveTie(
        owners: .links, assets: .linkSystemFields, key: "ZSYSTEMFIELDSASSET", back: "ZMIRROREDRELATIONSHIP",
        name: "ZCKRECORDID", tables: tables),
      ArchiveTie(
        owners: .zones, assets: .encodedShares, key: "ZENCODEDSHAREASSET", back: "ZRECORDZONE",
        name: "ZCKRECORDZONENAME", tables: tables),
    ].filter { tables.has($0.owners, $0.key) && tables.has($0.assets, $0.back) }
  }

  /// One row per owner whose archive is missing, belongs to another owner, or holds no bytes.
  package var brokenOwners: View {
    let empty = ["ZBINARYDATA", "ZEXTERNALBINARYDATA"].map { "\(tables.sql(assets, $0, "a")) IS NULL" }
    let uri =
      owners == .records
      ? "object_uri(\(tables.sql(.records, "ZENTITYID", "o")), \(tables.sql(.records, "ZENTITYPK", "o")))"
      : "NULL"
    return View(
      "brokenOwners", rows: "owner without its archive",
      [
        .init("row", .integer, "the owner's row", "o.Z_PK"),
        .init("asset", .integer, "the archive's row, according to the owner", "o.\(key)"),
        .init("assetRow", .integer, "the same, if it exists", "a.Z_PK"),
        .init("assetOwner", .integer, "the owner's row, according to the archive", "a.\(back)"),
        .init("name", .text, "the owner's name", tables.sql(owners, name, "o")),
        .init("uri", .uri, "the URI of the owner's object", uri),
      ],
      from: """
        main.\(owners.rawValue) o LEFT JOIN main.\(assets.rawValue) a ON a.Z_PK = o.\(key)
        WHERE o.\(key) IS NOT NULL
          AND (a.Z_PK IS NULL OR a.\(back) IS NOT o.Z_PK OR (\(empty.joined(separator: " AND "))))
        """)
  }

  /// One row per archive that no owner names. The list of all keys is needed, and made, only where the way back leads
  /// nowhere.
  package var lostAssets: View {
    View(
      "lostAssets", rows: "archive without an owner",
      [
        .init("row", .integer, "the archive's row", "a.Z_PK"),
        .init("owner", .integer, "the owner's row, according to the archive", "a.\(back)"),
      ],
      from: """
        main.\(assets.rawValue) a
        WHERE NOT EXISTS (SELECT 1 FROM main.\(owners.rawValue) o WHERE o.Z_PK = a.\(back) AND o.\(key) = a.Z_PK)
          AND COALESCE(a.Z_PK IN (SELECT o.\(key) FROM main.\(owners.rawValue) o), 0) = 0
        """)
  }
}
