import Lens
import StoreModel
import Values

/// What `--columns` names of an entity: properties, parts of them, or what can only be asked otherwise.
struct ChosenColumns {
  let toMany: ObjectRows.ToMany
  /// What isn't a property: a composite's part, or a member of a decoded value.
  let parts: [String]

  private let entity: SchemaEntity
  private let store: CoreDataStore

  /// - Throws: `StoreScopeError` with what helps, for a name of which more is known than that it isn't there.
  init(_ typed: [String], of entity: SchemaEntity, in store: CoreDataStore) throws {
    (self.entity, self.store) = (entity, store)
    let members = store.schema.descendants(of: entity)
    let names = members.flatMap { $0.attributes.map(\.name) + $0.relationships.map(\.name) }
    let known = names + ViewNames.identity + ViewNames.identity.map(ViewNames.key) + ["object", "*"]
    toMany = typed.contains("*") ? .all : .named(Set(typed))
    parts = typed.filter { Suggestion.spelled($0, in: known) == nil }
    let leaves = members.flatMap(\.attributes).flatMap(\.leaves).filter { $0.column != nil }.map(\.path)
    for part in parts
    where Suggestion.spelled(part, in: leaves) == nil && DecodedPath(part, of: members) == nil {
      if let error = refusal(part, typed, leaves, known) { throw error }
    }
  }

  private func refusal(
    _ name: String, _ typed: [String], _ leaves: [String], _ known: [String]
  ) -> StoreScopeError? {
    func error(_ reason: String) -> StoreScopeError {
      StoreScopeError(.notFound, "\(entity.name) has no column '\(name)'\(reason)", about: name)
    }
    if let leaf = PropertyName.meant(by: name, among: leaves) { return error(". Did you mean '\(leaf)'?") }
    let parts = name.split(separator: ".").map(String.init)
    if parts.count == 2, parts[0].lowercased() == entity.name.lowercased(),
      let own = Suggestion.spelled(parts[1], in: known + leaves)
    {
      return error(". Did you mean '\(own)'?")
    }
    guard let property = parts.last, let target = target(of: parts.dropLast().last, having: property) else {
      return nil
    }
    let reason = ": '\(target.property)' is a property of \(target.entity.name)"
    guard let relationship = target.relationship else { return error(reason) }
    let sql = ShellQuotes.readable(query(typed, name, relationship, target.property))
    return error("\(reason). 'storescope query STORE \(sql)' adds it")
  }

  private typealias Target = (relationship: SchemaRelationship?, entity: SchemaEntity, property: String)

  /// Who has the property: what a relationship leads to, or any entity.
  /// - Parameter owner: a relationship or an entity that was named in front of it.
  private func target(of owner: String?, having property: String) -> Target? {
    func name(in entity: SchemaEntity) -> String? {
      Suggestion.spelled(property, in: View.entityColumns(of: entity).values)
    }
    let toOnes = entity.relationships.filter { if case .toOne = $0.storage { true } else { false } }
    let led = toOnes.compactMap { relationship -> Target? in
      guard let entity = store.schema[relationship.destination], let found = name(in: entity) else {
        return nil
      }
      let names = [relationship.name, entity.name].map { $0.lowercased() }
      return owner.map { names.contains($0.lowercased()) } ?? true ? (relationship, entity, found) : nil
    }
    if let first = led.first { return first }
    let owners = owner.map { owner in
      store.schema.entities.filter { $0.name.lowercased() == owner.lowercased() }
    }
    return (owners ?? store.schema.entities).lazy.compactMap { entity in
      name(in: entity).map { (nil, entity, $0) }
    }.first
  }

  /// The statement that has that column too.
  private func query(
    _ typed: [String], _ name: String, _ relationship: SchemaRelationship, _ property: String
  ) -> String {
    let views = ViewNames.views(for: store.schema.entities.map(\.name))
    let own = WrittenCondition.quoted(views[entity.name] ?? entity.name)
    let destination = store.schema[relationship.destination]?.name ?? ""
    let other = relationship.name.lowercased() == own.lowercased() ? "other" : relationship.name
    let columns = View.entityColumns(of: entity)
    let selected = typed.compactMap { typed -> String? in
      if typed == name {
        return "\(other).\(WrittenCondition.quoted(property)) AS \(other)_\(property.filter { $0 != "." })"
      }
      return PropertyName.meant(by: typed, among: Array(columns.keys)).flatMap { columns[$0] }
        .map { "\(own).\(WrittenCondition.quoted($0))" }
    }
    let key = columns[relationship.name] ?? relationship.name
    return
      "SELECT \(selected.joined(separator: ", ")) FROM \(own) LEFT JOIN \(WrittenCondition.quoted(views[destination] ?? destination)) AS \(other) ON \(other).pk = \(own).\(WrittenCondition.quoted(key))"
  }
}
