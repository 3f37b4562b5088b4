import Lens
import SQLite
import StoreModel

/// What is asked of the objects that a to-many relationship leads to: `tags = coffee`, `tags.name = food`,
/// `participants IS NULL`.
enum LinkCondition {
  /// In SQL over the entity's view; nil for what is no such relationship, and for what its objects don't have.
  static func sql(_ condition: WrittenCondition, of entity: SchemaEntity, in store: CoreDataStore) -> String?
  {
    let parts = condition.property.split(separator: ".", maxSplits: 1).map(String.init)
    guard let name = parts.first?.lowercased(),
      let link = ViewNames.links(of: store).first(where: {
        guard $0.entity.number == entity.number, $0.relationship.name.lowercased() == name else {
          return false
        }
        if case .toOne = $0.relationship.storage { return false }
        return true
      }), let destination = store.schema[link.relationship.destination]
    else { return nil }
    let view = WrittenCondition.quoted(link.view)
    let isNegated = condition.isNegated
    let value = condition.value.lowercased()
    if parts.count == 1, ["null", "nil", "not null", "not nil"].contains(value) {
      return
        "(SELECT COUNT(*) FROM \(view) WHERE source = pk) \(value.hasPrefix("not") || isNegated ? ">" : "=") 0"
    }
    guard let property = parts.count > 1 ? parts[1] : ColumnRanks.titles(of: destination).first else {
      return nil
    }
    var comparison = condition.comparison.replacing("NOT ", with: "")
    // A list that contains a value has one that equals it.
    if ["!=", "<>"].contains(comparison) || parts.count == 1 && comparison == "CONTAINS" { comparison = "=" }
    let asked = WrittenCondition(condition, of: property, comparison: comparison)
    guard let inner = asked.sql(of: destination, in: store) else { return nil }
    let target = WrittenCondition.quoted(
      ViewNames.view(for: destination.name, among: store.schema.entities.map(\.name)))
    return
      "pk \(isNegated ? "NOT " : "")IN (SELECT source FROM \(view) WHERE target IN (SELECT pk FROM \(target) WHERE \(inner)))"
  }
}
