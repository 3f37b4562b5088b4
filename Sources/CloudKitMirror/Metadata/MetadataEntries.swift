import Archives
import SQLite
import Values

/// The mirror's key-value table, each key once.
package struct MetadataEntries: Sendable {
  /// In the order of the keys.
  package let all: [MetadataEntry]
  /// Why what isn't here may be in the store all the same, as a clause; nil where the table is whole.
  package let problem: String?

  package subscript(key: String) -> MetadataEntry? { all.first { $0.key == key } }

  package var duplicated: [MetadataEntry] { all.filter { $0.rows > 1 } }

  /// A store has about ten entries; the limit is for made-up ones.
  private static let limit = 10_000

  init(_ connection: Connection, _ tables: MirrorTables) throws {
    guard tables.has(.metadataEntries) else {
      all = []
      problem = "the table \(FrameworkTable.metadataEntries.rawValue) is missing"
      return
    }
    problem = ["ZKEY", "ZTRANSFORMEDVALUE", "ZSTRINGVALUE", "ZBOOLVALUENUM"].first {
      !tables.has(.metadataEntries, $0)
    }.map { "\(FrameworkTable.metadataEntries.rawValue) has no column \($0)" }
    func column(_ name: String) -> String { tables.sql(.metadataEntries, name, "e") }
    var entries: [String: MetadataEntry] = [:]
    try connection.forEachRow(
      """
      SELECT \(column("ZKEY")), \(column("ZTRANSFORMEDVALUE")), \(column("ZSTRINGVALUE")), \(column("ZDATEVALUE")),
        \(column("ZBOOLVALUENUM")), \(column("ZINTEGERVALUE"))
      FROM main.ANSCKMETADATAENTRY e ORDER BY e.Z_PK LIMIT \(Self.limit)
      """
    ) { row in
      let key = row.text(0)
      var entry = Self.entry(key, row)
      entry.rows = (entries[key]?.rows ?? 0) + 1
      entries[key] = entry
    }
    all = entries.values.sorted { $0.key < $1.key }
  }

  private static func entry(_ key: String, _ row: Statement) -> MetadataEntry {
    func entry(_ kind: MetadataEntry.Kind, _ value: DataValue, _ archive: [UInt8]? = nil) -> MetadataEntry {
      MetadataEntry(key: key, kind: kind, value: value, rows: 1, archive: archive)
    }
    if let bytes = row.optionalBytes(1) { return entry(.archive, archiveValue(bytes), bytes) }
    if let text = row.optionalText(2) { return entry(.string, .text(text)) }
    if let seconds = row.optionalReal(3) { return entry(.date, .date(CoreDataDate(seconds: seconds))) }
    let integer = row.optionalInteger(5)
    // Where both have a value, one of them is a column's default.
    if let bool = row.optionalInteger(4), integer == nil || integer == 0, key != MetadataKey.frameworkVersion
    {
      return entry(.bool, bool == 0 || bool == 1 ? .bool(bool == 1) : .integer(bool))
    }
    if let integer { return entry(.integer, .integer(integer)) }
    return entry(.none, .null)
  }

  private static func archiveValue(_ bytes: [UInt8]) -> DataValue {
    if let token = try? HistoryToken(archive: bytes) {
      return .object(
        token.transactions.sorted { $0.key < $1.key }.map { DataValue.Member($0.key, .integer($0.value)) })
    }
    return .blob(BlobReader.summary(of: bytes, decode: true))
  }
}
