import Base
import SQLite
import StoreModel

/// What to-one relationships lead to, as a column: `trip.title`, `parent.parent`. Read by subqueries over the tables, as
/// each object has one such target at most; the views would decode all that it has.
struct RelatedPath {
  /// With the names that the model has.
  let name: String
  let end: End
  private let hops: [Hop]

  enum End {
    case attribute(SchemaAttribute)
    case member(DecodedPath)
    case relationship(SchemaRelationship)
    case key
  }

  private struct Hop {
    let column: String
    let target: SchemaEntity
    /// Of a target that isn't the relationship's whole destination.
    let numbers: [Int64]?
  }

  /// Nobody types more.
  private static let mostHops = 8

  /// Nil for a name that doesn't begin with a to-one relationship, or leads nowhere.
  init?(_ text: String, of entity: SchemaEntity, in store: CoreDataStore) {
    var hops: [Hop] = []
    var name = ""
    var rest = text
    var place = entity
    while hops.count < Self.mostHops, let (first, others) = Self.step(rest),
      let relationship = place.toOne(named: first), case .toOne(let column, _, _) = relationship.storage,
      let destination = store.schema[relationship.destination], store.tables.holdsObjects(destination.table)
    {
      name += relationship.name + "."
      rest = others
      // A sub-entity's property is one of the objects that have it.
      let targets = [destination] + store.schema.descendants(of: destination)
      func hop(to target: SchemaEntity) -> Hop {
        let isWhole = target.number == destination.number
        return Hop(
          column: column, target: target,
          numbers: isWhole ? nil : store.schema.descendants(of: target).map(\.number))
      }
      let ends = targets.compactMap { target in Self.end(rest, of: target).map { (target, $0) } }
      if let (target, found) = ends.first {
        // Of several sub-entities with a property of their own by that name, one would leave out the others.
        guard Self.haveOneRoot(ends.map(\.0), in: store) else { return nil }
        (self.hops, self.name, end) = (hops + [hop(to: target)], name + found.name, found.end)
        return
      }
      guard let next = Self.step(rest)?.first,
        case let onWay = targets.filter({ $0.toOne(named: next) != nil }), let target = onWay.first,
        Self.haveOneRoot(onWay, in: store)
      else { return nil }
      hops.append(hop(to: target))
      place = target
    }
    return nil
  }

  /// Whether all of them are the first one or below it.
  private static func haveOneRoot(_ entities: [SchemaEntity], in store: CoreDataStore) -> Bool {
    let below = Set(([entities[0]] + store.schema.descendants(of: entities[0])).map(\.number))
    return entities.allSatisfy { below.contains($0.number) }
  }

  static func step(_ path: String) -> (first: String, others: String)? {
    path.firstIndex(of: ".").map { (String(path[..<$0]), String(path[path.index(after: $0)...])) }
  }

  private static func end(_ name: String, of entity: SchemaEntity) -> (name: String, end: End)? {
    let attributes = entity.attributes.filter { !$0.leaves.allSatisfy { $0.column == nil } }
    for known in [attributes, attributes.flatMap(\.leaves).filter { $0.column != nil }] {
      if let path = Suggestion.spelled(name, in: known.map(\.path)),
        let attribute = known.first(where: { $0.path == path })
      {
        return (path, .attribute(attribute))
      }
    }
    if let relationship = entity.toOne(named: name) {
      return (relationship.name, .relationship(relationship))
    }
    if name.lowercased() == "pk" { return ("pk", .key) }
    return DecodedPath(name, of: [entity]).map { ($0.name, .member($0)) }
  }

  /// A column of the object at the end.
  /// - Parameter table: of the object at the beginning.
  func sql(_ column: String, from table: String) -> String {
    func alias(_ index: Int) -> String { "related_\(index)" }
    var sql = "\(alias(hops.count - 1)).\(quotedIdentifier(column))"
    for (index, hop) in hops.enumerated().reversed() {
      let origin = index == 0 ? quotedIdentifier(table) : alias(index - 1)
      let isAmong = hop.numbers.map {
        " AND \(alias(index)).Z_ENT IN (\($0.map(String.init).joined(separator: ", ")))"
      }
      sql = """
        (SELECT \(sql) FROM main.\(quotedIdentifier(hop.target.table)) AS \(alias(index)) \
        WHERE \(alias(index)).Z_PK = \(origin).\(quotedIdentifier(hop.column))\(isAmong ?? ""))
        """
    }
    return sql
  }

  /// The column of the object at the end by which objects are sorted; nil for what has no order.
  var orderColumn: String? {
    switch end {
    case .attribute(let attribute):
      attribute.leaves.first { $0.path == attribute.path || attribute.description.isEnumeration }?.column
    case .relationship(let relationship):
      if case .toOne(let column, _, _) = relationship.storage { column } else { nil }
    case .key: "Z_PK"
    case .member: nil
    }
  }
}

extension SchemaEntity {
  var toOnes: [SchemaRelationship] {
    relationships.filter { if case .toOne = $0.storage { true } else { false } }
  }

  /// The to-one relationship that people mean by a name.
  func toOne(named name: String) -> SchemaRelationship? {
    let name = Suggestion.spelled(name, in: toOnes.map(\.name))
    return toOnes.first { $0.name == name }
  }
}
