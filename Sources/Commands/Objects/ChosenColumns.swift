import Lens
import StoreModel
import Values

/// What `--columns` names of an entity: properties, parts of them, or what can only be asked otherwise.
struct ChosenColumns {
  let toMany: ObjectRows.ToMany
  /// What isn't a property: a composite's part, a member of a decoded value, or what a to-one relationship leads to.
  let parts: [String]

  /// - Throws: `StoreScopeError` for the name of a composite's part without the composite.
  init(_ arguments: ParsedArguments, of entity: SchemaEntity, in store: CoreDataStore) throws {
    let typed = try arguments.columns() ?? []
    let members = store.schema.descendants(of: entity)
    let names = members.flatMap { $0.attributes.map(\.name) + $0.relationships.map(\.name) }
    let known = names + ViewNames.identity + ViewNames.identity.map(ViewNames.key) + ["object", "*"]
    toMany = typed.contains("*") ? .all : .named(Set(typed))
    parts = typed.filter { Suggestion.spelled($0, in: known) == nil }
    let leaves = members.flatMap(\.attributes).flatMap(\.leaves).filter { $0.column != nil }.map(\.path)
    for part in parts
    where Suggestion.spelled(part, in: leaves) == nil && !ObjectRows.hasColumn(part, of: members, in: store) {
      guard let leaf = PropertyName.meant(by: part, among: leaves) else { continue }
      throw StoreScopeError(
        .notFound, "\(entity.name) has no column '\(part)'.\(Suggestion.question(leaf))", about: part)
    }
  }
}
