import SQLite

/// A table as Core Data would create it.
package struct PredictedTable: Sendable, Equatable {
  package struct Column: Sendable, Equatable {
    package var name: String
    /// For example `INTEGER`. `Z_PK` has `INTEGER PRIMARY KEY`.
    package var declaredType: String
    /// The property that it stores, dotted for a composite's leaf; nil for Z_PK, Z_ENT and Z_OPT.
    package var property: String?
    /// The entity that declares the property.
    package var entity: String?
  }

  package var name: String
  /// In the order of the CREATE statement.
  package var columns: [Column]
  /// Columns of the primary key behind the column list; empty where Z_PK is the key, as in all but join tables.
  package var primaryKey: [String]
  package var indexes: [PredictedIndex]

  /// The text that Core Data has SQLite keep of the table. Names that aren't plain are quoted.
  package var createStatement: String {
    let list = columns.map { "\(sqlName($0.name)) \($0.declaredType)" }
    let key = primaryKey.isEmpty ? [] : ["PRIMARY KEY (\(primaryKey.map(sqlName).joined(separator: ", ")))"]
    return "CREATE TABLE \(sqlName(name)) ( \((list + key).joined(separator: ", ")) )"
  }

  /// What brings the table back, empty, with its indexes.
  var creation: [String] { [createStatement] + indexes.map(\.createStatement) }

  /// What brings a property's column back, without its values; nil if the table has no such column.
  /// - Parameter table: what the store calls the table.
  func addition(of column: String, to table: String) -> [String]? {
    columns.first { $0.name == column && !isKey($0) }.map {
      ["ALTER TABLE \(sqlName(table)) ADD COLUMN \(sqlName(column)) \($0.declaredType)"]
        + indexes.filter { $0.columns.contains(column) }.map(\.createStatement)
    }
  }

  /// Without them the rows that are there are of no use.
  private func isKey(_ column: Column) -> Bool {
    primaryKey.isEmpty ? column.property == nil : primaryKey.contains(column.name)
  }
}

/// An index as Core Data would create it. Fetch indexes, which only the model's author asks for, are left out.
package struct PredictedIndex: Sendable, Equatable {
  package var name: String
  package var table: String
  package var columns: [String]
  /// Made for a uniqueness constraint.
  package var isUnique: Bool

  package var createStatement: String {
    let list = columns.map { sqlName($0) + (isUnique ? " COLLATE BINARY ASC" : "") }
    return
      "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(sqlName(name)) ON \(sqlName(table)) (\(list.joined(separator: ", ")))"
  }
}

/// Core Data writes its names bare, and all that it makes up are plain; only a model's own can be otherwise.
private func sqlName(_ name: String) -> String {
  let isPlain = name.utf8.allSatisfy { byte in
    byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
  }
  return isPlain ? name : quotedIdentifier(name)
}

/// Columns and indexes of the predicted tables in the order in which Core Data declares them. Only a writer of
/// look-alike stores needs it: migrations append columns out of order, so readers go by name.
struct TableLayout {
  private(set) var tables: [PredictedTable] = []

  /// A column with what decides its place: first its group, then the entity in numbering order, then the place
  /// within the entity.
  private struct Placed {
    var group: Int
    var column: PredictedTable.Column
  }

  /// Order columns follow all foreign keys; the other groups are those of `group(of:)`.
  private static let keyGroup = 0
  private static let orderGroup = 1

  init(_ naming: SchemaNaming, tableOf: [Int64: String]) {
    let entries = Dictionary(grouping: naming.graph.numbering.entries, by: \.root)
    for (root, name) in tableOf.sorted(by: { $0.key < $1.key }) {
      let hierarchy = entries[root] ?? []
      var placed: [Placed] = []
      var indexes: [PredictedIndex] = []
      for entry in hierarchy {
        guard let names = naming.names[entry.number] else { continue }
        placed += Self.columns(of: names, entry)
        indexes += Self.indexes(of: names, naming.graph.entity(entry.number), table: name)
      }
      if hierarchy.count > 1 {
        indexes.insert(
          PredictedIndex(name: "\(name)_Z_ENT_INDEX", table: name, columns: ["Z_ENT"], isUnique: false), at: 0
        )
      }
      let fixed = [("Z_PK", "INTEGER PRIMARY KEY"), ("Z_ENT", "INTEGER"), ("Z_OPT", "INTEGER")].map {
        PredictedTable.Column(name: $0.0, declaredType: $0.1)
      }
      let sorted = placed.enumerated().sorted {
        ($0.element.group, $0.offset) < ($1.element.group, $1.offset)
      }
      tables.append(
        PredictedTable(
          name: name, columns: fixed + sorted.map(\.element.column), primaryKey: [], indexes: indexes))
    }
  }

  private static func columns(of names: SchemaNaming.Names, _ entry: EntityNumbering.Entry) -> [Placed] {
    func column(_ name: String, _ type: String, _ property: String) -> PredictedTable.Column {
      PredictedTable.Column(name: name, declaredType: type, property: property, entity: entry.name)
    }
    var placed = names.leaves.map { leaf in
      Placed(
        group: group(of: leaf.attribute.type),
        column: column(leaf.column, leaf.attribute.type.declaredColumnType ?? "", leaf.path))
    }
    for (relationship, key) in names.keys.sorted(by: { $0.key < $1.key }) {
      for name in [key.column, key.entityColumn].compactMap({ $0 }) {
        placed.append(Placed(group: keyGroup, column: column(name, "INTEGER", relationship)))
      }
      if let name = key.orderColumn {
        placed.append(Placed(group: orderGroup, column: column(name, "INTEGER", relationship)))
      }
    }
    for key in names.virtualToOnes {
      for name in [key.column, key.entityColumn, key.orderColumn].compactMap({ $0 }) {
        placed.append(Placed(group: keyGroup, column: column(name, "INTEGER", key.relationship)))
      }
    }
    return placed
  }

  private static func group(of type: AttributeType) -> Int {
    switch type {
    case .integer16, .integer32, .integer64, .boolean: keyGroup
    case .date, .double, .float: 2
    case .decimal: 3
    case .string: 4
    case .uri: 5
    case .uuid: 6
    case .transformable: 7
    case .binary: 8
    case .undefined, .objectID, .composite: 9
    }
  }

  private static func indexes(of names: SchemaNaming.Names, _ entity: EntityDescription?, table: String)
    -> [PredictedIndex]
  {
    let keys = names.keys.sorted { $0.key < $1.key }.map(\.value.column) + names.virtualToOnes.map(\.column)
    var indexes = keys.map { key in
      PredictedIndex(name: "\(table)_\(key)_INDEX", table: table, columns: [key], isUnique: false)
    }
    for constraint in entity?.uniquenessConstraints ?? [] {
      // A constraint may name an inherited property, whose column another entity's names have; it is left out.
      let columns = constraint.compactMap { property in
        names.leaves.first { $0.path == property }?.column ?? names.keys[property]?.column
      }
      guard let entity, columns.count == constraint.count, !columns.isEmpty else { continue }
      indexes.append(
        PredictedIndex(
          name: "Z_\(entity.name)_UNIQUE_\(constraint.joined(separator: "_"))", table: table,
          columns: columns,
          isUnique: true))
    }
    return indexes
  }
}

extension PredictedTable {
  init(_ join: JoinTableNaming.JoinTable) {
    let keys = [join.namingColumn, join.otherColumn]
    let orders = [join.namingOrder, join.otherOrder].compactMap { $0 }
    self.init(
      name: join.name, columns: (keys + orders).map { Column(name: $0, declaredType: "INTEGER") },
      primaryKey: keys,
      indexes: [
        PredictedIndex(
          name: "\(join.name)_\(join.otherColumn)_INDEX", table: join.name,
          columns: [join.otherColumn, join.namingColumn], isUnique: false)
      ])
  }
}
