import Base
import SQLite

/// A schema for a store without a model: entities from Z_PRIMARYKEY, or else from the tables, and properties
/// guessed from columns. Property names come out in lower case, sub-entities get all columns of their table,
/// and foreign keys are known only where another column or a join table gives them away.
package enum TablesOnlySchema {
  /// What is returned says of itself that it is guessed.
  package static func build(primaryKeys: PrimaryKeyTable, tables: TableCatalog) -> StoreSchema {
    let rows = primaryKeys.user.isEmpty ? rows(from: tables) : primaryKeys.user
    let hierarchy = GuessedHierarchy(rows)
    let joins = GuessedJoinTable.all(in: tables, numbers: Set(rows.map(\.number)))
    let byFolded = Dictionary(firstOf: tables.modelTables.map { ($0.uppercased(), $0) })
    var properties: [String: GuessedProperties] = [:]
    let entities = rows.map { row in
      let root = hierarchy.root(of: row.number)
      let name = "Z" + (hierarchy.name(of: root) ?? row.name).uppercased()
      let table = byFolded[name] ?? name
      let found = properties[table] ?? GuessedProperties(tables.columns(of: table), hierarchy: hierarchy)
      properties[table] = found
      return entity(row, hierarchy, table: table, found, joins: joins)
    }
    return StoreSchema(entities: entities, isGuessed: true)
  }

  private static func entity(
    _ row: PrimaryKeyTable.Row, _ hierarchy: GuessedHierarchy, table: String, _ found: GuessedProperties,
    joins: [GuessedJoinTable]
  ) -> SchemaEntity {
    let root = hierarchy.root(of: row.number)
    let isInherited = root != row.number
    let lineage = hierarchy.lineage(of: row.number)
    var names = NamePool(taken: Set(found.attributes.map(\.lowercasedName) + found.keys.map(\.name)))
    var relationships = found.keys.map { key in
      SchemaRelationship(
        description: RelationshipDescription(
          name: key.name, destination: hierarchy.name(of: key.destination) ?? ""),
        destination: key.destination,
        storage: .toOne(column: key.column, entityColumn: key.entityColumn, orderColumn: key.orderColumn),
        isInherited: isInherited, declaredBy: root)
    }
    for join in joins {
      for side in join.sides where lineage.contains(side.owner) {
        relationships.append(
          SchemaRelationship(
            description: RelationshipDescription(
              name: names.unique(side.name), destination: hierarchy.name(of: side.destination) ?? "",
              isToMany: true, isOrdered: side.orderColumn != nil),
            destination: side.destination,
            storage: .join(
              table: join.table, ownColumn: side.ownColumn, otherColumn: side.otherColumn,
              orderColumn: side.orderColumn),
            isInherited: side.owner != row.number, declaredBy: side.owner))
      }
    }
    return SchemaEntity(
      number: row.number, name: row.name, parent: hierarchy.parent(of: row.number), root: root,
      subtree: hierarchy.subtree(of: row.number), table: table,
      attributes: found.attributes.map { column in
        SchemaAttribute(
          description: AttributeDescription(name: column.lowercasedName, type: column.attributeType),
          path: column.lowercasedName, column: column.name, isInherited: isInherited, declaredBy: root)
      },
      relationships: relationships.sorted { $0.name < $1.name })
  }

  /// Without Z_PRIMARYKEY each table of objects counts as one entity. Its number is the one that the numbering
  /// rule gives where no entity has sub-entities.
  private static func rows(from tables: TableCatalog) -> [PrimaryKeyTable.Row] {
    let objects = tables.modelTables.filter(tables.holdsObjects)
    return objects.enumerated().map { index, table in
      let name = table.dropFirst()
      return PrimaryKeyTable.Row(
        number: Int64(index) + 1, name: name.prefix(1).uppercased() + name.dropFirst().lowercased(),
        parent: nil,
        lastKey: 0)
    }
  }
}

/// Entities as Z_PRIMARYKEY alone shows them. Circles among the superentities are cut.
struct GuessedHierarchy {
  private let rows: [Int64: PrimaryKeyTable.Row]
  private var lineages: [Int64: [Int64]] = [:]
  private var subtrees: [Int64: ClosedRange<Int64>] = [:]

  init(_ list: [PrimaryKeyTable.Row]) {
    rows = Dictionary(firstOf: list.map { ($0.number, $0) })
    for row in list {
      var lineage = [row.number]
      while let parent = rows[lineage[lineage.count - 1]]?.parent, rows[parent] != nil,
        !lineage.contains(parent), lineage.count < HierarchyWalk.depthLimit
      {
        lineage.append(parent)
      }
      lineages[row.number] = lineage
      for number in lineage {
        let known = subtrees[number] ?? number...number
        subtrees[number] = min(known.lowerBound, row.number)...max(known.upperBound, row.number)
      }
    }
  }

  /// The entity itself, its superentity, and so on up to the root.
  func lineage(of number: Int64) -> [Int64] { lineages[number] ?? [number] }

  func root(of number: Int64) -> Int64 { lineage(of: number).last ?? number }

  func parent(of number: Int64) -> Int64? { lineage(of: number).dropFirst().first }

  func subtree(of number: Int64) -> ClosedRange<Int64> { subtrees[number] ?? number...number }

  func name(of number: Int64) -> String? { rows[number]?.name }
}

/// What a table's columns tell of its entities' properties when there is no model.
struct GuessedProperties {
  struct Column {
    var name: String
    var declaredType: String

    /// `ZFIRSTNAME` → `firstname`: the model's capitals are lost.
    var lowercasedName: String { (name.hasPrefix("Z") ? name.dropFirst() : name[...]).lowercased() }

    var attributeType: AttributeType {
      switch declaredType.uppercased() {
      case "INTEGER": .integer64
      case "FLOAT": .double
      case "DECIMAL": .decimal
      case "TIMESTAMP": .date
      case "VARCHAR": .string
      case "BLOB": .binary
      default: .undefined
      }
    }
  }

  /// A foreign key that an entity column gives away.
  struct Key {
    var column: String
    var entityColumn: String
    var orderColumn: String?
    var destination: Int64
    var name: String { Column(name: column, declaredType: "").lowercasedName }
  }

  private(set) var attributes: [Column] = []
  private(set) var keys: [Key] = []

  init(_ columns: [TableColumn], hierarchy: GuessedHierarchy) {
    let names = Set(columns.map(\.name))
    var hidden: Set<String> = ["Z_PK", "Z_ENT", "Z_OPT"]
    for column in columns.map(\.name) {
      if column.hasPrefix("Z_FOK_") { hidden.insert(column) }
      // `Z3_OWNER` next to `ZOWNER` holds the entity of a target that is entity 3 or below.
      guard let (number, name) = Self.numbered(column.dropFirst()), name.hasPrefix("_") else { continue }
      let key = "Z" + name.dropFirst()
      guard hierarchy.name(of: number) != nil, names.contains(key), !hidden.contains(key) else { continue }
      let order = "Z_FOK_" + name.dropFirst()
      hidden.formUnion([column, key])
      keys.append(
        Key(
          column: key, entityColumn: column, orderColumn: names.contains(order) ? order : nil,
          destination: number))
    }
    attributes = columns.filter { !hidden.contains($0.name) }.map {
      Column(name: $0.name, declaredType: $0.declaredType)
    }.sorted { $0.lowercasedName < $1.lowercasedName }
  }

  /// Leading digits as a number, and what follows them.
  static func numbered(_ text: Substring) -> (number: Int64, rest: Substring)? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    return Int64(digits).map { ($0, text.dropFirst(digits.count)) }
  }
}

/// A join table as its columns alone tell it: `Z_2BOOKS (Z_2AUTHORS, Z_5BOOKS)` links entity 2's `books` with
/// entity 5's `authors`. A column bears the number of the entity whose keys it holds and the other side's name
/// for it.
struct GuessedJoinTable {
  struct Side {
    var owner: Int64
    var name: String
    var destination: Int64
    var ownColumn: String
    var otherColumn: String
    var orderColumn: String?
  }

  var table: String
  var sides: [Side]

  static func all(in catalog: TableCatalog, numbers: Set<Int64>) -> [GuessedJoinTable] {
    catalog.modelTables.compactMap { table in
      guard table.hasPrefix("Z_"), GuessedProperties.numbered(table.dropFirst(2)) != nil else { return nil }
      return GuessedJoinTable(table, catalog.columns(of: table).map(\.name), numbers)
    }
  }

  private init?(_ table: String, _ columns: [String], _ numbers: Set<Int64>) {
    let orders = columns.filter { $0.contains("FOK_") }
    let keys = columns.filter { !$0.contains("FOK_") }
    guard keys.count == 2, let first = Self.parse(keys[0], numbers) else { return nil }
    self.table = table
    if keys[1] == "REFLEXIVE" {
      sides = [
        Side(
          owner: first.number, name: first.name, destination: first.number, ownColumn: keys[0],
          otherColumn: keys[1], orderColumn: orders.first)
      ]
      return
    }
    guard let second = Self.parse(keys[1], numbers) else { return nil }
    func order(nextTo column: String) -> String? {
      let name = "Z_FOK_" + column.dropFirst(2)
      return orders.contains(name) ? name : nil
    }
    sides = [
      Side(
        owner: first.number, name: second.name, destination: second.number, ownColumn: keys[0],
        otherColumn: keys[1], orderColumn: order(nextTo: keys[1])),
      Side(
        owner: second.number, name: first.name, destination: first.number, ownColumn: keys[1],
        otherColumn: keys[0], orderColumn: order(nextTo: keys[0])),
    ]
  }

  private static func parse(_ column: String, _ numbers: Set<Int64>) -> (number: Int64, name: String)? {
    guard column.hasPrefix("Z_"), let (number, rest) = GuessedProperties.numbered(column.dropFirst(2)),
      !rest.isEmpty, numbers.contains(number)
    else { return nil }
    return (number, rest.lowercased())
  }
}
