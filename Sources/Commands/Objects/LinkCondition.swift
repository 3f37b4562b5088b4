import Lens
import SQLite
import StoreModel

/// What is asked of the objects that a to-many relationship leads to, also behind others: `tags = coffee`,
/// `tags.name = food`, `trip.participants.name = Ada`, `participants IS NULL`.
enum LinkCondition {
  /// In SQL over the entity's view; nil for what is no such relationship, and for what its objects don't have.
  static func sql(_ condition: WrittenCondition, of entity: SchemaEntity, in store: CoreDataStore) -> String?
  {
    let parts = condition.property.split(separator: ".", maxSplits: 1).map(String.init)
    if let step = toOne(parts, condition, of: entity, in: store) { return step }
    guard let link = parts.first.flatMap({ ViewNames.toMany($0, of: entity, in: store) }),
      let destination = store.schema[link.relationship.destination]
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
    guard let keys = keys(asked, of: destination, in: store) else { return nil }
    return "pk \(isNegated ? "NOT " : "")IN (SELECT source FROM \(view) WHERE target IN (\(keys)))"
  }

  /// `trip.participants.name`, where `trip` leads to one object.
  private static func toOne(
    _ parts: [String], _ condition: WrittenCondition, of entity: SchemaEntity, in store: CoreDataStore
  ) -> String? {
    guard parts.count > 1,
      let relationship = entity.relationships.first(where: {
        guard case .toOne = $0.storage else { return false }
        return $0.name.lowercased() == parts[0].lowercased()
      }), let destination = store.schema[relationship.destination]
    else { return nil }
    return keys(WrittenCondition(condition, of: parts[1]), of: destination, in: store).map {
      "\(WrittenCondition.quoted(relationship.name)) IN (\($0))"
    }
  }

  /// Those of the objects that meet the condition. Dotted names work in the outermost condition only.
  private static func keys(
    _ asked: WrittenCondition, of destination: SchemaEntity, in store: CoreDataStore
  ) -> String? {
    guard let inner = sql(asked, of: destination, in: store) ?? asked.sql(of: destination, in: store) else {
      return nil
    }
    let target = ViewNames.view(for: destination.name, among: store.schema.entities.map(\.name))
    return "SELECT pk FROM \(WrittenCondition.quoted(target)) WHERE \(inner)"
  }
}
