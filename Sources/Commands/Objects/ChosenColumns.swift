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
  private let arguments: ParsedArguments

  /// - Throws: `StoreScopeError` with what helps, for a name of which more is known than that it isn't there.
  init(
    _ typed: [String], of entity: SchemaEntity, _ arguments: ParsedArguments, in store: CoreDataStore
  ) throws {
    (self.entity, self.store, self.arguments) = (entity, store, arguments)
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
    return error("\(reason). 'storescope query STORE \(sql)\(otherOptions)' adds it")
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
      "SELECT \(selected.joined(separator: ", ")) FROM \(source(own)) LEFT JOIN \(WrittenCondition.quoted(views[destination] ?? destination)) AS \(other) ON \(other).pk = \(own).\(WrittenCondition.quoted(key))\(order(own))"
  }

  /// The objects that the condition selects, in parentheses of their own: the other table may have columns of the same names.
  private func source(_ own: String) -> String {
    guard let typed = arguments[.where].map(MistypedCondition.bare), !typed.isEmpty else { return own }
    let condition = WrittenPaths.resolved(typed, of: entity, in: store) ?? typed
    return "(SELECT * FROM \(own) WHERE \(condition)) AS \(own)"
  }

  private func order(_ own: String) -> String {
    let columns = View.entityColumns(of: entity)
    let identity = Dictionary(uniqueKeysWithValues: ViewNames.identity.map { ($0, $0) })
    let known = columns.merging(identity) { column, _ in column }
    let isReversed = arguments.has(.reverse)
    let orders = ObjectRows.Order.parse(arguments.all(.sort).joined(separator: ","))
    var terms = orders.compactMap { order -> String? in
      PropertyName.meant(by: order.property, among: Array(known.keys)).flatMap { known[$0] }.map {
        "\(own).\(WrittenCondition.quoted($0))\(order.isDescending != isReversed ? " DESC" : "") NULLS LAST"
      }
    }
    if terms.isEmpty, isReversed { terms = ["\(own).pk DESC"] }
    return terms.isEmpty ? "" : " ORDER BY " + terms.joined(separator: ", ")
  }

  /// Those that are of no entity's rows, as they were typed.
  private var otherOptions: String {
    let ofSQL: Set<OptionName> = [.columns, .where, .sort, .reverse, .expand, .exact]
    return Command.rows.allOptions.filter { !ofSQL.contains($0.option) }.flatMap { option in
      (arguments.options[option.option] ?? []).map { value in
        " --\(option.option.rawValue)\(value.isEmpty ? "" : " " + ShellQuotes.readable(value))"
      }
    }.joined()
  }
}
