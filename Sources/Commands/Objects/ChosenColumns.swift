import Lens
import StoreModel
import Values

/// What `--columns` names of an entity: properties, parts of them, or what can only be asked otherwise.
struct ChosenColumns {
  let toMany: ObjectRows.ToMany
  /// What isn't a property: a composite's part, a member of a decoded value, or what a to-one relationship leads to.
  let parts: [String]

  private let typed: [String]
  private let arguments: ParsedArguments
  private let entity: SchemaEntity
  private let store: CoreDataStore

  /// - Throws: `StoreScopeError` with what helps, for a name of which more is known than that it isn't there.
  init(_ arguments: ParsedArguments, of entity: SchemaEntity, in store: CoreDataStore) throws {
    typed = try arguments.columns() ?? []
    (self.arguments, self.entity, self.store) = (arguments, entity, store)
    let members = store.schema.descendants(of: entity)
    let names = members.flatMap { $0.attributes.map(\.name) + $0.relationships.map(\.name) }
    let known = names + ViewNames.identity + ViewNames.identity.map(ViewNames.key) + ["object", "*"]
    toMany = typed.contains("*") ? .all : .named(Set(typed))
    parts = typed.filter { Suggestion.spelled($0, in: known) == nil }
    let leaves = members.flatMap(\.attributes).flatMap(\.leaves).filter { $0.column != nil }.map(\.path)
    for part in parts
    where Suggestion.spelled(part, in: leaves) == nil && !ObjectRows.hasColumn(part, of: members, in: store) {
      if let error = refusal(part, leaves, known) { throw error }
    }
  }

  private func refusal(_ name: String, _ leaves: [String], _ known: [String]) -> StoreScopeError? {
    func error(_ reason: String) -> StoreScopeError {
      StoreScopeError(.notFound, "\(entity.name) has no column '\(name)'\(reason)", about: name)
    }
    if let leaf = PropertyName.meant(by: name, among: leaves) { return error(". Did you mean '\(leaf)'?") }
    if MistypedCondition.property(storedAs: name, of: entity) != nil {
      let names = typed.map { MistypedCondition.property(storedAs: $0, of: entity) ?? $0 }
      let meant = RowsWords.command(
        of: entity, arguments, replacing: [(.columns, names.joined(separator: ","))])
      return error(". Did you mean '\(meant)'?")
    }
    let parts = name.split(separator: ".").map(String.init)
    if parts.count == 2, parts[0].lowercased() == entity.name.lowercased(),
      let own = Suggestion.spelled(parts[1], in: known + leaves)
    {
      return error(". Did you mean '\(own)'?")
    }
    if let query = toManyQuery(parts) {
      return StoreScopeError(
        .notFound, "\(entity.name) has no column '\(name)': '\(parts[0])' leads to several objects",
        about: name,
        advice: "This lists each of them:"
      ).listing(command: "storescope query STORE \(ShellQuotes.readable(query))")
    }
    guard let property = parts.last, let target = target(of: parts.dropLast().last, having: property) else {
      return nil
    }
    let reason = ": '\(target.property)' is a property of \(target.entity.name)"
    guard let relationship = target.relationship else { return error(reason) }
    return error("\(reason). Did you mean '\(relationship.name).\(target.property)'?")
  }

  /// What `participants.name` asks for: a row for each pair. Nil for what is no such property.
  private func toManyQuery(_ parts: [String]) -> String? {
    guard parts.count == 2, let link = ViewNames.toMany(parts[0], of: entity, in: store),
      let destination = store.schema[link.relationship.destination],
      let property = Suggestion.spelled(parts[1], in: View.entityColumns(of: destination).values)
    else { return nil }
    let names = store.schema.entities.map(\.name)
    func view(_ entity: SchemaEntity) -> String {
      WrittenCondition.quoted(ViewNames.view(for: entity.name, among: names))
    }
    let title = ColumnRanks.titles(of: entity).first.flatMap { View.entityColumns(of: entity)[$0] } ?? "pk"
    return """
      SELECT a.\(WrittenCondition.quoted(title)), b.\(WrittenCondition.quoted(property)) FROM \(view(entity)) a \
      JOIN \(WrittenCondition.quoted(link.view)) l ON l.source = a.pk JOIN \(view(destination)) b ON b.pk = l.target
      """
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
}
