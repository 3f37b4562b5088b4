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
      return
        " '\(relationship.name)' of \(entity.name) leads to \(target.name), which has no '\(property)'.\(Suggestion.sentence(for: property, in: known))"
    }
    let condition = condition(quotedIfNeeded(column))
    switch relationship.storage {
    case .toOne:
      // A condition can't have one.
      let join =
        ["select", "with"].contains(tokens.text(0))
        ? ", or JOIN \(view) ON \(view).pk = \(names[entity.name] ?? entity.name).\(relationship.name)" : ""
      return
        " '\(relationship.name)' of \(entity.name) is a to-one relationship: write \(relationship.name) IN (SELECT pk FROM \(view) WHERE \(condition))\(join)."
    case .toMany, .join:
      guard
        let link = ViewNames.links(of: store).first(where: {
          $0.entity.number == entity.number && $0.relationship.name == relationship.name
        })
      else { return nil }
      return
        " '\(relationship.name)' of \(entity.name) is a to-many relationship: write pk IN (SELECT source FROM \(link.view) JOIN \(view) ON \(view).pk = target WHERE \(condition))."
    case .none: return nil
    }
  }

  private func quotedIfNeeded(_ name: String) -> String {
    name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } ? name : quotedIdentifier(name)
  }

  /// What was compared with the property, as it was written.
  private func condition(_ column: String) -> String {
    for index in tokens.all.indices where tokens.isName(index) && tokens.all[index].text == property {
      guard tokens.text(index - 1) == ".", tokens.all.indices.contains(index + 1) else { continue }
      let operators: Set = ["=", "==", "<>", "!=", "<", "<=", ">", ">=", "like", "is"]
      guard operators.contains(tokens.text(index + 1)), let value = tokens.operand(beginningAt: index + 2)
      else {
        continue
      }
      return "\(column) \(tokens.source(index + 1...index + 1)) \(tokens.source(value))"
    }
    return "\(column) = …"
  }
}
