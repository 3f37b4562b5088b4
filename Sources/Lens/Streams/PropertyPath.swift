package import Base
import SQLite
package import StoreModel

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
    guard let (first, rest) = RelatedPath.step(path), let relationship = entity.toOne(named: first),
      let destination = store.schema[relationship.destination]
    else { return nil }
    let views = ViewNames.views(for: store.schema.entities.map(\.name))
    // A sub-entity's view has fewer objects, with the same keys.
    for target in [destination] + store.schema.descendants(of: destination) {
      guard let view = views[target.name],
        let inner = PropertyPath(
          rest, of: target, called: Self.name(ofDepth: depth), depth: depth + 1, in: store)
      else { continue }
      return (relationship.name, view, inner)
    }
    return nil
  }
}

/// A member of an attribute's decoded value, as people write it: `mapStyle.scheme`, `companions[0]`.
package struct DecodedPath: Sendable {
  /// The attribute that is decoded, or a composite's leaf.
  package let attribute: SchemaAttribute
  /// The same with the names that the model has.
  package let name: String
  private let steps: [Step]

  private enum Step {
    case member(String)
    case element(Int)
  }

  /// Nil where nothing is decoded: for a property itself, and for what is below one that holds no data.
  package init?(_ text: String, of entities: [SchemaEntity]) {
    let lowercased = text.lowercased()
    let leaves = entities.lazy.flatMap(\.attributes).flatMap(\.leaves)
    guard
      let attribute = leaves.first(where: { leaf in
        let path = leaf.path.lowercased()
        return leaf.holdsData && leaf.column != nil && lowercased.hasPrefix(path)
          && ".[".contains(lowercased.dropFirst(path.count).first ?? " ")
      })
    else { return nil }
    let rest = text.dropFirst(attribute.path.count)
    let matches = rest.matches(of: /\.([^.\[\]]+)|\[(\d+)\]/)
    let steps = matches.compactMap { match -> Step? in
      match.1.map { .member(String($0)) } ?? match.2.flatMap { Int($0) }.map(Step.element)
    }
    // All of it has to be understood: `[-1]` is no element.
    guard !steps.isEmpty, steps.count == matches.count, matches.map({ rest[$0.range] }).joined() == rest
    else { return nil }
    self.attribute = attribute
    self.steps = steps
    name = attribute.path + rest
  }

  /// Null where the value has no such member.
  package func value(in decoded: DataValue) -> DataValue {
    steps.reduce(decoded) { value, step in
      switch (step, value.content) {
      case (.member(let name), .object(let members)):
        (members.first { $0.name == name } ?? members.first { $0.name.lowercased() == name.lowercased() })?
          .value ?? .null
      case (.element(let index), .array(let elements)):
        elements.indices.contains(index) ? elements[index] : .null
      default: .null
      }
    }
  }

  /// The same in SQL over the entity's view.
  func sql(_ quoted: (String) -> String) -> String {
    let path = steps.map { step in
      switch step {
      case .member(let name): name.wholeMatch(of: /\w+/) != nil ? ".\(name)" : ".\"\(name)\""
      case .element(let index): "[\(index)]"
      }
    }
    return "blob_json(\(quoted(attribute.path))) ->> \(quotedText("$" + path.joined()))"
  }
}

extension SchemaAttribute {
  /// Whether its value is an archive, JSON or other data.
  package var holdsData: Bool { [.binary, .transformable].contains(description.type) }
}

extension DataValue {
  /// A blob's decoded value.
  fileprivate var content: DataValue {
    guard case .blob(let blob) = self else { return self }
    return blob.value ?? .null
  }
}
