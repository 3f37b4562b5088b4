import Base
import SQLite
import StoreModel

/// Key paths as SQL: what to-one relationships lead to by subqueries, what to-many ones lead to by joins.
extension PredicateCompiler {
  typealias Steps = [Step]

  /// From one object to many: the tables on the way, and the object at the end.
  struct Chain {
    var tables: [String] = []
    var conditions: [String] = []
    var toManys = 0
    var end: Scope

    /// In the order of the path, which begins at one object: https://www.sqlite.org/optoverview.html#crossjoin
    func select(_ columns: String, where condition: String = "1") -> String {
      """
      SELECT \(columns) FROM \(tables.joined(separator: " CROSS JOIN ")) \
      WHERE \((conditions + [condition]).joined(separator: " AND "))
      """
    }
  }

  func scope(_ root: Form.Root) -> Scope {
    guard case .bound(let name) = root, let scope = bound[name] else { return self.root }
    return scope
  }

  private func relationship(_ step: Step, of entity: SchemaEntity) -> SchemaRelationship? {
    entity.relationships.first { $0.name == step.name }
  }

  private func destination(_ relationship: SchemaRelationship, at offset: Int) throws -> SchemaEntity {
    guard let entity = store.schema[relationship.destination], store.tables.holdsObjects(entity.table) else {
      throw PredicateMistake("the store has no objects that \(relationship.name) could lead to", offset)
    }
    return entity
  }

  private mutating func table(of entity: SchemaEntity) -> Scope {
    aliases += 1
    return Scope(alias: "related_\(aliases)", entity: entity)
  }

  /// The objects that a path leads to by its to-many relationships, and the names behind the last of these.
  /// - Returns: nil for a path with none, and for what is no path.
  mutating func collection(_ expression: Expression) throws -> (chain: Chain, rest: Steps)? {
    guard case .path(let root, let steps) = expression.form else { return nil }
    return try collection(steps, in: scope(root))
  }

  private mutating func collection(_ steps: Steps, in scope: Scope) throws -> (chain: Chain, rest: Steps)? {
    // An aggregate is one value, and so is what it is asked of.
    guard !steps.contains(where: { $0.name.hasPrefix("@") }) else { return nil }
    var place = scope.entity
    var last: Int?
    for (index, step) in steps.enumerated() {
      guard let relationship = relationship(step, of: place) else { break }
      if relationship.description.isToMany { last = index }
      guard let next = store.schema[relationship.destination] else { break }
      place = next
    }
    guard let last else { return nil }
    if scope.alias == root.alias, let name = steps.first?.name { properties.insert(name) }
    var chain = Chain(end: scope)
    for step in steps[...last] { try extend(&chain, by: step) }
    return (chain, Array(steps[(last + 1)...]))
  }

  private mutating func extend(_ chain: inout Chain, by step: Step) throws {
    guard let relationship = relationship(step, of: chain.end.entity) else {
      throw unknown(step.name, chain.end.entity.relationships.map(\.name), "relationship", step.offset)
    }
    let from = chain.end.alias
    let target = table(of: try destination(relationship, at: step.offset))
    let other = "main.\(quotedIdentifier(target.entity.table)) AS \(target.alias)"
    switch relationship.storage {
    case .toOne(let column, _, _):
      chain.tables.append(other)
      chain.conditions.append("\(target.alias).Z_PK = \(from).\(quotedIdentifier(column))")
    case .toMany(_, let column, _, _, _):
      chain.tables.append(other)
      chain.conditions.append("\(target.alias).\(quotedIdentifier(column)) = \(from).Z_PK")
    case .join(let table, let ownColumn, let otherColumn, _):
      let link = "link_\(aliases)"
      chain.tables += ["main.\(quotedIdentifier(table)) AS \(link)", other]
      chain.conditions += [
        "\(link).\(quotedIdentifier(ownColumn)) = \(from).Z_PK",
        "\(target.alias).Z_PK = \(link).\(quotedIdentifier(otherColumn))",
      ]
    case .none: throw PredicateMistake("the store doesn't keep \(relationship.name)", step.offset)
    }
    if relationship.description.isToMany { chain.toManys += 1 }
    chain.end = target
  }

  /// The one value that names lead to from an object, or that object.
  mutating func value(_ steps: Steps, in scope: Scope, at offset: Int) throws -> Value {
    if scope.alias == root.alias, let name = steps.first?.name { properties.insert(name) }
    if let index = steps.firstIndex(where: { $0.name.hasPrefix("@") }) {
      let others = Array(steps[..<index] + steps[(index + 1)...])
      if steps[index].name == "@count", index + 1 < steps.count {
        throw PredicateMistake("@count is a number and has no properties", steps[index + 1].offset)
      }
      return try aggregate(steps[index], try collection(others, in: scope), at: offset)
    }
    guard let step = steps.first else {
      return Value(sql: "\(scope.alias).Z_PK", kind: .object, root: scope.entity.root)
    }
    if let relationship = relationship(step, of: scope.entity) {
      return try value(relationship, step, Array(steps.dropFirst()), in: scope)
    }
    if step.name == "entity", steps.dropFirst().first?.name == "name", steps.count == 2,
      !scope.entity.attributes.contains(where: { $0.name == "entity" })
    {
      let names = store.schema.descendants(of: scope.entity).map {
        "WHEN \($0.number) THEN \(quotedText($0.name))"
      }
      return Value(sql: "CASE \(scope.alias).Z_ENT \(names.joined(separator: " ")) END", kind: .text)
    }
    return try attribute(steps, in: scope)
  }

  private mutating func value(
    _ relationship: SchemaRelationship, _ step: Step, _ rest: Steps, in scope: Scope
  ) throws -> Value {
    guard !relationship.description.isToMany else {
      throw PredicateMistake(
        "\(step.name) leads to many objects", step.offset,
        "Use ANY, ALL, NONE, SUBQUERY or \(step.name).@count")
    }
    guard case .toOne(let column, _, _) = relationship.storage else {
      throw PredicateMistake("the store doesn't keep \(step.name)", step.offset)
    }
    let key = "\(scope.alias).\(quotedIdentifier(column))"
    guard !rest.isEmpty else {
      return Value(sql: key, kind: .object, root: store.schema[relationship.destination]?.root)
    }
    let entity = try destination(relationship, at: step.offset)
    let target = table(of: entity)
    let inner = try value(rest, in: target, at: step.offset)
    let source =
      "FROM main.\(quotedIdentifier(entity.table)) AS \(target.alias) WHERE \(target.alias).Z_PK = \(key)"
    return Value(
      sql: "(SELECT \(inner.sql) \(source))", kind: inner.kind,
      exists: "EXISTS (SELECT 1 \(source)\(inner.exists.map { " AND \($0)" } ?? ""))", root: inner.root)
  }

  private mutating func attribute(_ steps: Steps, in scope: Scope) throws -> Value {
    readsValues = true
    let leaves = scope.entity.attributes.flatMap { attribute in
      attribute.leaves.map {
        (path: attribute.description.isEnumeration ? attribute.name : $0.path, leaf: $0)
      }
    }
    let path = steps.map(\.name).joined(separator: ".")
    if let leaf = leaves.first(where: { $0.path == path })?.leaf {
      guard let column = leaf.column else {
        let why = leaf.description.isTransient ? "it is transient" : "its table lacks the column"
        throw PredicateMistake("the store doesn't keep \(path): \(why)", steps[0].offset)
      }
      return Value(sql: "\(scope.alias).\(quotedIdentifier(column))", kind: Self.kind(leaf.description.type))
    }
    if steps.count > 1, steps.last?.name == "length" {
      return try length(attribute(steps.dropLast(), in: scope), at: steps[steps.count - 1].offset)
    }
    let (name, offset) = (steps[0].name, steps[0].offset)
    if let attribute = scope.entity.attributes.first(where: { $0.name == name }) {
      let parts = attribute.leaves.map(\.path).joined(separator: ", ")
      throw attribute.description.type == .composite
        ? PredicateMistake("\(name) is a composite", offset, "Ask for one of its parts: \(parts)")
        : PredicateMistake(
          "nothing in \(name) can be asked for here", offset, "--where leads into decoded values")
    }
    var mistake = unknown(
      name, leaves.map(\.path) + scope.entity.relationships.map(\.name), "property", offset)
    (mistake.problem, mistake.advice) = (
      "\(scope.entity.name) has no property '\(name)'", "A text needs quotes"
    )
    throw mistake
  }

  private static func kind(_ type: AttributeType) -> Kind {
    switch type {
    case .integer16, .integer32, .integer64: .integer
    case .decimal, .double, .float: .real
    case .string, .uri: .text
    case .boolean: .bool
    case .date: .date
    case .uuid: .uuid
    case .binary, .transformable, .composite: .opaque
    case .undefined, .objectID: .any
    }
  }

  /// `sum(tags.rank)`
  mutating func aggregate(_ name: String, _ expression: Expression) throws -> Value {
    try aggregate(
      .init(name: "@" + name, offset: expression.offset), try collection(expression), at: expression.offset)
  }

  /// `tags.@count`, `tags.@sum.rank`
  private mutating func aggregate(_ step: Step, _ collection: (chain: Chain, rest: Steps)?, at offset: Int)
    throws -> Value
  {
    let known = ["@count", "@sum", "@avg", "@min", "@max"]
    guard known.contains(step.name) else { throw unknown(step.name, known, "aggregate", step.offset) }
    guard let (chain, rest) = collection else {
      throw PredicateMistake("\(step.name) needs a to-many relationship", step.offset)
    }
    if step.name == "@count" { return Value(sql: "(\(chain.select("COUNT(*)")))", kind: .integer) }
    guard !rest.isEmpty else {
      throw PredicateMistake("\(step.name) needs an attribute", step.offset, "As in tags.\(step.name).rank")
    }
    let inner = try value(rest, in: chain.end, at: offset)
    let isOrdered = step.name == "@min" || step.name == "@max"
    guard inner.kind.isNumber || isOrdered && (inner.kind == .date || inner.kind == .text) else {
      throw PredicateMistake("\(step.name) can't be taken of \(inner.kind.rawValue)", step.offset)
    }
    // SUM fails if whole numbers grow too large: https://www.sqlite.org/lang_aggfunc.html#sumunc
    let function = step.name == "@sum" ? "TOTAL" : step.name.dropFirst().uppercased()
    return Value(sql: "(\(chain.select("\(function)(\(inner.sql))")))", kind: isOrdered ? inner.kind : .real)
  }
}
