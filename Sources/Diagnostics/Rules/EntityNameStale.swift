import StoreModel
import Values

extension Rule {
  static let entityNameStale = Rule(about) { examination, findings in
    let store = examination.store
    guard !store.discrepancies.contains(where: { $0.kind == .foreignModel }) else { return }
    for entity in store.schema.entities {
      guard let oldName = entity.staleName else { continue }
      findings.add(
        subject: entity.name,
        [
          .init("entity", .text(entity.name)), .init("number", .integer(entity.number)),
          .init("oldName", .text(oldName)),
        ])
    }
  }
}

private let about = RuleHeader(
  """
  Rule: entity-name-stale
  Severity: info
  Title: Entities listed under an old name
  Shows: A number in Z_PRIMARYKEY whose name differs from the name of the model's entity with that number.
  Why: A lightweight migration that renames an entity can leave its old name there. Tools that read names from
    Z_PRIMARYKEY show the wrong name; the framework uses the number.
  Next launch: Nothing.
  Remedy: In queries on the store, use the model's names, as storescope's views do.
  Needs: model
  False positives: With '--model PATH', a model of another store.
  Evidence: Measured on real stores.
  Message: {count} {entity is|entities are} listed under an old name: {entity} as {oldName}.
  """)
