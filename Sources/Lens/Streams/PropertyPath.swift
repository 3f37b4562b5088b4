import SQLite
package import StoreModel
import Values

/// A dotted name that leads into a property, as people write it, and what SQL over the entity's view has for it:
/// `weather.condition` of a composite, `mapStyle.scheme` of a decoded value, `trip.title` of what a to-one relationship
/// leads to.
package struct PropertyPath {
  package let sql: String
  /// The view's column; nil for what is computed.
  package let column: String?
  /// Nil for a relationship, and for a member of a decoded value.
  package let attribute: SchemaAttribute?

  /// Nil for a name that leads nowhere.
  /// - Parameter view: what the view with the entity's objects is called there.
  package init?(_ path: String, of entity: SchemaEntity, called view: String, in store: CoreDataStore) {
    self.init(path, of: entity, called: view, depth: 0, in: store)
  }

  private init?(
    _ path: String, of entity: SchemaEntity, called view: String, depth: Int, in store: CoreDataStore
  ) {
    let columns = View.entityColumns(of: entity)
    func qualified(_ column: String) -> String { "\(quotedIdentifier(view)).\(quotedIdentifier(column))" }
    if let property = Suggestion.spelled(path, in: columns.keys), let column = columns[property] {
      (self.column, sql) = (column, qualified(column))
      let attribute = entity.attribute(named: property)
      self.attribute = attribute?.description.isEnumeration == true ? attribute?.leaves.first : attribute
    } else if depth > 0, let column = Suggestion.spelled(path, in: ViewNames.identity) {
      (self.column, sql, attribute) = (column, qualified(column), nil)
    } else if let member = DecodedPath(path, of: [entity]) {
      sql = "(\(member.sql { qualified(columns[$0] ?? $0) }))"
      (column, attribute) = (nil, nil)
    } else {
      guard let led = Self.led(path, of: entity, depth, in: store), let key = columns[led.relationship] else {
        return nil
      }
      // A view of the same entity may be around it.
      let object = Self.name(ofDepth: depth)
      // A subquery doesn't hand on how its column is compared.
      let order: String? =
        switch led.inner.attribute?.description.type {
        case .date: DateOrder.name
        case .uuid: ObjectNames.uuidOrder
        default: nil
        }
      sql =
        "(SELECT \(led.inner.sql) FROM \(quotedIdentifier(led.view)) AS \(object) WHERE \(object).pk = \(qualified(key)))"
        + (order.map { " COLLATE \($0)" } ?? "")
      (column, attribute) = (nil, led.inner.attribute)
    }
  }

  private static func name(ofDepth depth: Int) -> String { "target_\(depth + 1)" }

  /// Where the first step leads, and the rest of the path from there.
  private static func led(
    _ path: String, of entity: SchemaEntity, _ depth: Int, in store: CoreDataStore
  ) -> (relationship: String, view: String, inner: PropertyPath)? {
    guard let dot = path.firstIndex(of: ".") else { return nil }
    let toOnes = entity.relationships.filter { if case .toOne = $0.storage { true } else { false } }
    guard let name = Suggestion.spelled(String(path[..<dot]), in: toOnes.map(\.name)),
      let relationship = toOnes.first(where: { $0.name == name }),
      let destination = store.schema[relationship.destination]
    else { return nil }
    let rest = String(path[path.index(after: dot)...])
    let views = ViewNames.views(for: store.schema.entities.map(\.name))
    // A sub-entity's view has fewer objects, with the same keys.
    for target in [destination] + store.schema.descendants(of: destination) {
      guard let view = views[target.name],
        let inner = PropertyPath(
          rest, of: target, called: Self.name(ofDepth: depth), depth: depth + 1, in: store)
      else { continue }
      return (name, view, inner)
    }
    return nil
  }
}
