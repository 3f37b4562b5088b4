import Base
import Lens
import SQLite
import StoreModel

/// The columns of one table in which URIs are searched, and what they are called.
struct ValueColumns {
  struct Property {
    /// Dotted where it is a composite's leaf.
    var path: String
    /// Whether a blob has a tag in front, and may lie in a file.
    var isTagged: Bool
  }

  let keeper: FoundReference.Keeper
  let table: String
  /// SQL of a row's key and of its entity's number.
  private(set) var key = "NULL"
  private(set) var entity = "NULL"
  private(set) var names: [String] = []
  /// Whether each may hold blobs that are too large to be looked at.
  private(set) var mayBeLarge: [Bool] = []
  /// By entity and column.
  private var properties: [Int64: [Int: Property]] = [:]

  /// A table of the app's objects; nil for what is none. All columns count, whatever they are declared as: any can
  /// hold text.
  init?(objects table: String, in store: CoreDataStore) {
    let columns = store.tables.columns(of: table)
    guard store.tables.holdsObjects(table) else { return nil }
    keeper = .object
    self.table = table
    key = "Z_PK"
    entity = "Z_ENT"
    // Keys and entity numbers of objects.
    var links: Set<String> = ["Z_PK", "Z_ENT", "Z_OPT"]
    let entities = store.schema.entities.filter { $0.table == table }
    for entity in entities {
      for relationship in entity.relationships {
        guard case .toOne(let column, let entityColumn, let orderColumn) = relationship.storage else {
          continue
        }
        links.formUnion([column, entityColumn, orderColumn].compactMap(\.self))
      }
    }
    add(columns.filter { !links.contains($0.name) })
    let places = Dictionary(firstOf: names.enumerated().map { ($1, $0) })
    for entity in entities {
      for leaf in entity.attributes.flatMap(\.leaves) {
        guard let place = leaf.column.flatMap({ places[$0] }) else { continue }
        let attribute = leaf.description
        properties[entity.number, default: [:]][place] = Property(
          path: leaf.path, isTagged: attribute.allowsExternalStorage || attribute.isFileBackedFuture)
      }
    }
  }

  /// A table of the framework's: its texts, and the blobs in which it copies values of the app's. Encoded records
  /// aren't searched: they are compressed.
  init?(_ table: FrameworkTable, in store: CoreDataStore, _ tables: FrameworkTables) {
    guard tables.has(table), !table.isAsset, ![.transactions, .transactionStrings].contains(table) else {
      return nil
    }
    let hasBlobs = [.metadataEntries, .analyzerStates].contains(table)
    let wanted = table.attributes.filter { attribute in
      guard table != .changes else { return attribute.name.hasPrefix("tombstone") }
      return attribute.kind == .string || hasBlobs && attribute.kind == .archive
    }
    keeper = table == .changes ? .tombstone : .mirror
    self.table = table.rawValue
    if tables.has(table, "Z_PK") { key = "Z_PK" }
    let names = Set(wanted.map(\.column).filter { tables.has(table, $0) })
    // A table may be declared in other letters.
    let real = store.tables.tables.first { $0.key.uppercased() == table.rawValue }?.value ?? []
    add(real.filter { names.contains($0.name.uppercased()) })
    if self.names.isEmpty { return nil }
  }

  private mutating func add(_ columns: [TableColumn]) {
    for column in columns {
      names.append(column.name)
      mayBeLarge.append(column.declaredType.uppercased() == "BLOB" || column.declaredType.isEmpty)
    }
  }

  func property(_ entity: Int64?, _ column: Int) -> Property? { entity.flatMap { properties[$0]?[column] } }

  /// Reads all rows that have values; of millions of changes few have. A blob above the limit comes as its size, and isn't loaded.
  /// - Parameter condition: on `Z_PK`; nil for all rows.
  func sql(limit: Int, where condition: String? = nil) -> String {
    let values = zip(names, mayBeLarge).map { name, mayBeLarge in
      let name = quotedIdentifier(name)
      // Nearly all are small, so that the type of few is asked.
      return mayBeLarge
        ? "CASE WHEN length(\(name)) > \(limit) AND typeof(\(name)) = 'blob' THEN length(\(name)) WHEN typeof(\(name)) != 'integer' THEN \(name) END"
        : name
    }
    let rows =
      keeper == .object ? "1" : names.map { "\(quotedIdentifier($0)) IS NOT NULL" }.joined(separator: " OR ")
    let keys = condition.map { " AND \($0)" } ?? ""
    return """
      SELECT \(([key, entity] + values).joined(separator: ", ")) FROM main.\(quotedIdentifier(table)) WHERE (\(rows))\(keys)
      """
  }
}
