import SQLite
import StoreModel

/// A column of a table of objects that holds keys of other objects: a to-one relationship's, or the one that Core Data
/// adds for a to-many relationship without inverse.
struct KeyColumn {
  /// `Note.owner`.
  var relationship: String
  var table: String
  var column: String
  /// Next to the key, the number of the target's entity, where it may be one of several.
  var entityColumn: String?
  /// Entities whose rows have the relationship; in rows of others the column means nothing.
  var owners: NumberRanges
  var target: LinkTarget

  /// Those of all relationships whose columns and target are there.
  static func all(in store: CoreDataStore) -> [KeyColumn] {
    var keys: [KeyColumn] = []
    for entity in store.schema.entities where LinkTarget(entity, in: store) != nil {
      let owners = NumberRanges(store.schema.descendants(of: entity).map(\.number))
      func add(_ name: String, _ column: String, _ entityColumn: String?, to destination: Int64) {
        guard let target = store.schema[destination].flatMap({ LinkTarget($0, in: store) }) else { return }
        keys.append(
          KeyColumn(
            relationship: name, table: entity.table, column: column, entityColumn: entityColumn,
            owners: owners,
            target: target))
      }
      for relationship in entity.relationships where !relationship.isInherited {
        guard case .toOne(let column, let entityColumn, _) = relationship.storage else { continue }
        add("\(entity.name).\(relationship.name)", column, entityColumn, to: relationship.destination)
      }
      let columns = Set(store.tables.columns(of: entity.table).map(\.name))
      for key in entity.virtualToOnes where key.declaredBy == entity.number && columns.contains(key.column) {
        let owner = store.schema[key.owner]?.name ?? ""
        add(
          "\(owner).\(key.relationship)", key.column,
          key.entityColumn.flatMap { columns.contains($0) ? $0 : nil },
          to: key.owner)
      }
    }
    return keys
  }
}

/// What a relationship may lead to.
struct LinkTarget {
  var entity: String
  var table: String
  /// The entity and all below it.
  var numbers: NumberRanges

  /// Nil where the table lacks what a look-up needs.
  init?(_ entity: SchemaEntity, in store: CoreDataStore) {
    guard store.tables.holdsObjects(entity.table) else { return nil }
    self.entity = entity.name
    table = entity.table
    numbers = NumberRanges(store.schema.descendants(of: entity).map(\.number))
  }
}

/// A join table and what its two columns lead to.
struct JoinTable {
  struct End {
    var column: String
    var target: LinkTarget
    /// Whether rows whose key here leads nowhere are usual: a relationship that is its own inverse is kept as two
    /// rows, and Core Data leaves the one of them when an object is deleted whose key stands here (measured on real
    /// stores).
    var mayBeDead: Bool
  }

  var relationship: String
  var table: String
  var ends: [End]

  /// Each once, as seen from the side that has the lower number.
  static func all(in store: CoreDataStore) -> [JoinTable] {
    var seen: Set<String> = []
    var tables: [JoinTable] = []
    for entity in store.schema.entities {
      for relationship in entity.relationships where !relationship.isInherited {
        guard case .join(let table, let own, let other, _) = relationship.storage,
          let owner = LinkTarget(entity, in: store),
          let target = store.schema[relationship.destination].flatMap({ LinkTarget($0, in: store) }),
          seen.insert(table).inserted
        else { continue }
        let isReflexive =
          relationship.description.inverse == relationship.name && owner.entity == target.entity
        tables.append(
          JoinTable(
            relationship: "\(entity.name).\(relationship.name)", table: table,
            ends: [
              End(column: own, target: owner, mayBeDead: false),
              End(column: other, target: target, mayBeDead: isReflexive),
            ]))
      }
    }
    return tables
  }
}

/// Entity numbers, few to compare with however many there are: those of a hierarchy are neighbors.
struct NumberRanges {
  private var ranges: [ClosedRange<Int64>] = []

  init(_ numbers: some Sequence<Int64>) {
    for number in Set(numbers).sorted() {
      if let last = ranges.last, last.upperBound &+ 1 == number {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
  }

  func contains(_ number: Int64) -> Bool { ranges.contains { $0.contains(number) } }

  /// SQL that is true where the expression is one of the numbers, NULL where it is NULL.
  func condition(_ expression: String) -> String {
    guard !ranges.isEmpty else { return "(\(expression) <> \(expression))" }
    let parts = ranges.map { "\(expression) BETWEEN \($0.lowerBound) AND \($0.upperBound)" }
    return "(\(parts.joined(separator: " OR ")))"
  }
}
