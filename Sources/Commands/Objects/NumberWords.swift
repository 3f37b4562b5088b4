import Lens
import SQLite
import StoreModel
import Values

/// A word that is compared with a property of numbers, as `kind = photo`: apps keep such states as numbers, and only they
/// know which word each has.
struct NumberWords {
  let sentence: String

  /// So many values are listed at most.
  private static let most = 8

  /// Nil for all other conditions.
  init?(_ predicate: String, _ entity: SchemaEntity, in store: CoreDataStore) {
    guard !predicate.contains(/(?i)\s(and|or)\s/), let condition = WrittenCondition(predicate),
      condition.value.contains(where: \.isLetter), !condition.value.contains(" "),
      WrittenNumber(condition.value) == nil, !["null", "nil"].contains(condition.value.lowercased())
    else { return nil }
    let columns = View.entityColumns(of: entity)
    guard let path = PropertyName.meant(by: condition.property, among: Array(columns.keys)),
      let column = columns[path], Suggestion.spelled(condition.value, in: columns.keys) == nil,
      let type = entity.attribute(named: path)?.description.type, type.isNumber
    else { return nil }
    let name = quotedIdentifier(column)
    let view = quotedIdentifier(ViewNames.view(for: entity.name, among: store.schema.entities.map(\.name)))
    let values = try? store.connection.onlyReading {
      try store.connection.rows(
        "SELECT DISTINCT \(name) FROM temp.\(view) WHERE \(name) IS NOT NULL ORDER BY 1 LIMIT \(Self.most + 1)"
      ) { $0.text(0) }
    }
    guard let values, !values.isEmpty else { return nil }
    let list = values.prefix(Self.most).joined(separator: ", ")
    sentence = "\(column) holds numbers: \(list)\(values.count > Self.most ? " and more" : "")."
  }
}
