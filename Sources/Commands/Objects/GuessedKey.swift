import Lens
import StoreModel

/// Where the model is guessed from the tables, a to-one relationship is a column of numbers: `recipe.name = Cake` asks the
/// entity of that name, and `type.name = Dessert` the only one whose name ends like this, RecipeType.
enum GuessedKey {
  /// In SQL over the entity's view; nil for what can be no such relationship.
  static func sql(_ condition: WrittenCondition, of entity: SchemaEntity, in store: CoreDataStore) -> String?
  {
    let parts = condition.property.split(separator: ".", maxSplits: 1).map(String.init)
    guard store.schema.isGuessed, parts.count == 2,
      let attribute = entity.attributes.first(where: { $0.name.lowercased() == parts[0].lowercased() }),
      attribute.description.type.isNumber, let column = View.entityColumns(of: entity)[attribute.name],
      let target = target(of: parts[0].lowercased(), in: store),
      let inner = WrittenCondition(condition, of: parts[1]).sql(of: target, in: store)
    else { return nil }
    let view = ViewNames.view(for: target.name, among: store.schema.entities.map(\.name))
    return
      "\(WrittenCondition.quoted(column)) IN (SELECT pk FROM \(WrittenCondition.quoted(view)) WHERE \(inner))"
  }

  private static func target(of name: String, in store: CoreDataStore) -> SchemaEntity? {
    let named = store.schema.entities.filter { $0.name.lowercased().hasSuffix(name) }
    return named.first { $0.name.lowercased() == name } ?? (named.count == 1 ? named[0] : nil)
  }
}
