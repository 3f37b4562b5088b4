import Lens
import SQLite
import StoreModel

/// A table and what happens to each of its columns.
struct RedactedTable {
  struct Column {
    var name: String
    /// The model's or the framework's name for it, or else the column's own.
    var label: String
    var content: ColumnContent
    /// Whether a unique index or a primary key watches over it.
    var isUnique: Bool
  }

  let name: String
  let label: String
  private(set) var columns: [Column] = []
  /// Where among them a row's entity is.
  let entityColumn: Int?
  /// The name by which the table knows its rows' numbers, where it has any that aren't a column.
  let rowNumber: String?

  /// - Parameter columns: those that can be written, in their order.
  init(_ table: SourceTable, in store: CoreDataStore) {
    name = table.name
    let contents = TableContents(table, in: store)
    label = contents.label
    columns = table.columns.map { column in
      Column(
        name: column.name, label: contents.label(of: column.name), content: contents.content(of: column),
        isUnique: column.isUnique)
    }
    entityColumn = contents.holdsObjects ? columns.firstIndex { $0.name.uppercased() == "Z_ENT" } : nil
    rowNumber = table.rowNumber
  }
}

/// What was replaced in one table.
package struct RedactedRows: Sendable {
  package struct Column: Sendable {
    /// The model's or the framework's name for it, where it has one.
    package var name: String
    /// Values that were replaced, by what they were.
    package var replaced: [Replaced: Int] = [:]
  }

  /// The entity's name, where it has one.
  package var name: String
  /// As the store calls it.
  package var table: String
  package var rows = 0
  /// Rows that aren't in the copy.
  package var rowsLeftOut = 0
  package var columns: [Column]
  /// Columns whose whole numbers stay, but for those that Core Data has in every table; by the table's own names.
  package let keys: [(name: String, proof: KeyProof)]

  init(_ table: RedactedTable) {
    name = table.label
    self.table = table.name
    columns = table.columns.map { Column(name: $0.label) }
    keys = table.columns.compactMap { column in
      guard case .key(let proof) = column.content, proof != .coreData else { return nil }
      return (column.name, proof)
    }
  }

  mutating func add(_ what: Replaced, column: Int) { columns[column].replaced[what, default: 0] += 1 }

  package var replaced: [Replaced: Int] {
    columns.reduce(into: [:]) { sum, column in sum.merge(column.replaced, uniquingKeysWith: +) }
  }
}

/// What the columns of one table hold: known for Core Data's own tables and those of the model, and for all others that
/// they hold values.
struct TableContents {
  private enum Kind {
    case metadata, primaryKeys, modelCache
    case framework(FrameworkTable)
    /// Of a framework that isn't known here.
    case unknownFramework
    case objects
    case links
    /// SQLite's own: numbers of rows, and what the query planner knows of indexes.
    case sqlite
    case other
  }

  let label: String
  private let kind: Kind
  private let isGuessed: Bool
  /// By column.
  private var properties: [String: [Int64: ColumnContent.Property]] = [:]
  private var labels: [String: String] = [:]
  private var keys: [String: KeyProof] = ["Z_PK": .coreData, "Z_ENT": .coreData, "Z_OPT": .coreData]

  var holdsObjects: Bool { if case .objects = kind { true } else { false } }

  init(_ table: SourceTable, in store: CoreDataStore) {
    kind = Self.kind(table.name, in: store)
    isGuessed = store.schema.isGuessed
    switch kind {
    case .framework(let framework): label = framework.entity
    case .metadata:
      label = "metadata"
      labels = ["Z_UUID": "identifier", "Z_PLIST": "the app's keys"]
    case .objects:
      let entities = store.schema.entities.filter { $0.table == table.name }
      label = entities.first?.name ?? table.name
      for entity in entities { add(entity) }
    default: label = table.name
    }
  }

  private static func kind(_ name: String, in store: CoreDataStore) -> Kind {
    if let framework = FrameworkTable(rawValue: name.uppercased()) { return .framework(framework) }
    switch name.uppercased() {
    case "Z_METADATA": return .metadata
    case "Z_PRIMARYKEY": return .primaryKeys
    case "Z_MODELCACHE": return .modelCache
    case "SQLITE_SEQUENCE", "SQLITE_STAT1": return .sqlite
    case let upper where upper.hasPrefix("ANSCK") || upper.hasPrefix("ZNSCK"): return .unknownFramework
    default: break
    }
    if store.schema.entities.contains(where: { $0.table == name }) || store.tables.holdsObjects(name) {
      return .objects
    }
    let isJoin = store.schema.entities.contains { entity in
      entity.relationships.contains { relationship in
        if case .join(let table, _, _, _) = relationship.storage { table == name } else { false }
      }
    }
    // An older model's links may be left; their columns must still look like keys.
    return isJoin || name.hasPrefix("Z_") && isNumbered(name) ? .links : .other
  }

  /// `Z_3PEOPLE`: what a join table's name, and the names of columns for keys, begin with.
  private static func isNumbered(_ name: String) -> Bool {
    let rest = name.dropFirst(name.hasPrefix("Z_") ? 2 : 1)
    return name.hasPrefix("Z") && rest.first.map { ("0"..."9").contains($0) } ?? false
  }

  /// A key or a place of a relationship, by the name that Core Data gives such a column (in capitals).
  private static func isKey(_ name: String) -> Bool {
    isNumbered(name) || name.hasPrefix("Z_FOK_") || name == "REFLEXIVE" || name == "FOK_REFLEXIVE"
  }

  private mutating func add(_ entity: SchemaEntity) {
    for relationship in entity.relationships {
      guard case .toOne(let column, let entityColumn, let orderColumn) = relationship.storage else {
        continue
      }
      for key in [column, entityColumn, orderColumn].compactMap(\.self) {
        keys[key] = isGuessed ? .entityColumn : .model
      }
    }
    for key in entity.virtualToOnes {
      for column in [key.column, key.entityColumn].compactMap(\.self) { keys[column] = .model }
    }
    for leaf in entity.attributes.flatMap(\.leaves) {
      guard let column = leaf.column else { continue }
      properties[column, default: [:]][entity.number] = ColumnContent.Property(leaf)
      if labels[column] == nil { labels[column] = leaf.path }
    }
  }

  func label(of column: String) -> String {
    if case .framework(let table) = kind {
      return table.attributes.first { $0.column == column.uppercased() }?.name ?? column
    }
    return labels[column] ?? column
  }

  func content(of column: SourceTable.Column) -> ColumnContent {
    let name = column.name.uppercased()
    switch kind {
    case .metadata:
      return name == "Z_UUID" ? .storeIdentifier : name == "Z_PLIST" ? .metadata : .state
    case .primaryKeys: return name == "Z_NAME" ? .structure : .state
    case .modelCache: return name == "Z_CONTENT" ? .structure : .value
    case .sqlite: return .structure
    case .links: return Self.isKey(name) ? .key(.name) : .value
    // No app declares such a table, and the frameworks index only the keys of relationships.
    case .unknownFramework:
      if let proof = keys[name] { return .key(proof) }
      return Self.isKey(name) ? .key(.name) : column.hasKeyIndex ? .key(.frameworkIndex) : .value
    case .framework(let table): return Self.content(of: name, in: table)
    case .objects:
      if let proof = keys[column.name] { return .key(proof) }
      // Keys and places of relationships that an older model had, or of any if there is no model.
      if isGuessed || properties[column.name] == nil, Self.isKey(name) { return .key(.name) }
      return .properties(properties[column.name] ?? [:])
    // Any primary key may be a value: a date, a telephone number. Equal numbers stay equal, so joins still work.
    case .other: return .value
    }
  }

  private static func content(of column: String, in table: FrameworkTable) -> ColumnContent {
    guard let attribute = table.attributes.first(where: { $0.column == column }) else { return .state }
    switch attribute.kind {
    case .string where table.isHistory, .string where attribute.name == "finalChangeAuthor": return .program
    case .string where table == .metadataEntries && attribute.name == "key": return .metadataKey
    case .string: return .frameworkText
    case .externalArchive: return .recordArchive(isTagged: true)
    case .archive where table == .changes && attribute.name == "columns": return .changedProperties
    case .archive where table == .changes || table == .transactions || table == .analyzerStates: return .value
    case .archive where table.isAsset || recordArchives.contains(attribute.name):
      return .recordArchive(isTagged: false)
    case .archive: return .archive
    default: return .state
    }
  }

  private static let recordArchives: Set = ["ckRecordSystemFields", "ckShare", "encodedShareData"]
}
