import Lens
import SQLite
import StoreModel
import Values

/// What helps with `trip.title`: SQL has no key paths, so that the other object has to be asked for.
struct KeyPathHint {
  private let relationship: SchemaRelationship
  private let entity: SchemaEntity
  private let property: String
  private let store: CoreDataStore
  private let tokens: StatementTokens
  /// The entities that the SQL asks, if the relationship is another's.
  private let asked: [SchemaEntity]

  /// Nil for a word that is no relationship's.
  /// - Parameter views: those that the SQL names.
  init?(_ word: String, _ sql: String, _ views: [String], _ store: CoreDataStore) {
    let parts = word.split(separator: ".").map { $0.lowercased() }
    guard parts.count > 1 else { return nil }
    let names = ViewNames.views(for: store.schema.entities.map(\.name))
    // An entity's name or an alias may stand first.
    let isView = names.values.contains { $0.lowercased() == parts[0] }
    let rest = parts.count > 2 ? [Array(parts.dropFirst())] : []
    let paths = isView && !rest.isEmpty ? rest : [parts] + rest
    let entities = store.schema.entities.filter { names[$0.name].map(views.contains) ?? false }
    for path in paths {
      for entity in entities + store.schema.entities {
        guard let found = entity.relationships.first(where: { $0.name.lowercased() == path[0] }) else {
          continue
        }
        (relationship, self.entity, property) = (found, entity, path[1])
        (self.store, tokens) = (store, StatementTokens(sql))
        asked = entities.contains { $0.number == entity.number } ? [] : entities
        return
      }
    }
    return nil
  }

  /// With a blank before it; nil where the store has no such relationship.
  var sentence: String? {
    let names = ViewNames.views(for: store.schema.entities.map(\.name))
    guard let target = store.schema[relationship.destination], let view = names[target.name] else {
      return nil
    }
    let known = store.schema.descendants(of: target).flatMap { View.entityColumns(of: $0).values }
    guard let column = known.first(where: { $0.lowercased() == property }) else {
      guard !target.relationships.contains(where: { $0.name.lowercased() == property }) else { return nil }
      return
        " '\(relationship.name)' of \(entity.name) leads to \(target.name), which has no '\(property)'.\(Suggestion.sentence(for: property, in: known))"
    }
    let condition = condition(ColumnHint.quotedIfNeeded(column))
    if !asked.isEmpty { return sentence(throughOther: condition, view) }
    switch relationship.storage {
    case .toOne:
      // A condition can't have one.
      let join =
        ["select", "with"].contains(tokens.text(0))
        ? ", or JOIN \(view) ON \(view).pk = \(names[entity.name] ?? entity.name).\(relationship.name)" : ""
      return
        " '\(relationship.name)' of \(entity.name) is a to-one relationship: write \(relationship.name) IN (SELECT pk FROM \(view) WHERE \(condition))\(join)."
    case .toMany, .join:
      guard let sources = sources(condition, view) else { return nil }
      return
        " '\(relationship.name)' of \(entity.name) is a to-many relationship: write pk IN (\(sources))."
    case .none: return nil
    }
  }

  /// The keys of what `entity` is asked for are no keys of what the SQL asks, which may lead there.
  private func sentence(throughOther condition: String, _ view: String) -> String {
    let owner = " '\(relationship.name)' is a relationship of \(entity.name)"
    let link = asked.lazy.flatMap(\.relationships).first {
      guard case .toOne = $0.storage else { return false }
      return $0.destination == entity.number
    }
    guard let link, let keys = keys(condition, view) else { return owner + "." }
    return "\(owner), to which '\(link.name)' leads: write \(link.name) IN (\(keys))."
  }

  /// Of the objects of `entity` that meet the condition.
  private func keys(_ condition: String, _ view: String) -> String? {
    guard case .toOne = relationship.storage else { return sources(condition, view) }
    let own = ViewNames.view(for: entity.name, among: store.schema.entities.map(\.name))
    return
      "SELECT pk FROM \(own) WHERE \(relationship.name) IN (SELECT pk FROM \(view) WHERE \(condition))"
  }

  private func sources(_ condition: String, _ view: String) -> String? {
    ViewNames.links(of: store).first {
      $0.entity.number == entity.number && $0.relationship.name == relationship.name
    }.map { "SELECT source FROM \($0.view) JOIN \(view) ON \(view).pk = target WHERE \(condition)" }
  }

  /// What was compared with the property, as it was written.
  private func condition(_ column: String) -> String {
    for index in tokens.all.indices where tokens.isName(index) && tokens.all[index].text == property {
      guard tokens.text(index - 1) == ".", tokens.all.indices.contains(index + 1) else { continue }
      let operators = StatementTokens.comparisonSigns.union(["like", "is"])
      guard operators.contains(tokens.text(index + 1)), let value = tokens.operand(beginningAt: index + 2)
      else {
        continue
      }
      return "\(column) \(tokens.source(index + 1...index + 1)) \(tokens.source(value))"
    }
    return "\(column) = …"
  }
}
