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

  init(_ connection: Connection, _ views: MirrorViews) throws {
    let tables = views.tables
    guard let view = views.metadataEntries else {
      all = []
      problem = "the table \(FrameworkTable.metadataEntries.rawValue) is missing"
      return
    }
    problem = ["ZKEY", "ZTRANSFORMEDVALUE", "ZSTRINGVALUE", "ZBOOLVALUENUM"].first {
      !tables.has(.metadataEntries, $0)
    }.map { "\(FrameworkTable.metadataEntries.rawValue) has no column \($0)" }
    var entries: [String: MetadataEntry] = [:]
    try connection.forEachRow(
      view.select(["key", "kind", "stored", "archive", "row"], "ORDER BY \"row\" LIMIT \(Self.limit)")
    ) { row in
      let key = row.text(0)
      var entry = Self.entry(key, row)
      entry.rows = (entries[key]?.rows ?? 0) + 1
      entries[key] = entry
    }
    all = entries.values.sorted { $0.key < $1.key }
  }

  private static func entry(_ key: String, _ row: Statement) -> MetadataEntry {
    let kind = MetadataEntry.Kind(rawValue: row.text(1)) ?? .none
    var archive: [UInt8]?
    var value = DataValue.null
    switch kind {
    case .archive: archive = row.bytes(3)
    case .string: value = .text(row.text(2))
    case .date: value = .date(CoreDataDate(seconds: row.real(2)))
    case .bool:
      let number = row.integer(2)
      value = number == 0 || number == 1 ? .bool(number == 1) : .integer(number)
    case .integer: value = .integer(row.integer(2))
    case .none: break
    }
    return MetadataEntry(key: key, kind: kind, plain: value, rows: 1, archive: archive)
  }
}
