import StoreModel
import Values

extension Rule {
  static let entityNameStale = Rule(about) { examination, findings in
    for entity in examination.store.schema.entities {
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
  "entity-name-stale", .info,
  title: "Entities that the store still lists by an old name",
  looksFor: "A number in Z_PRIMARYKEY whose name isn't the one that the model's entity of that number has.",
  why: """
    A lightweight migration that renames an entity can leave its old name there. Tools that read names off \
    Z_PRIMARYKEY show the wrong one; the framework goes by the number.
    """,
  nextLaunch: "Nothing.",
  remedy: "None is needed. Queries on the store should go by the model's names, as the views here do.",
  needs: [.model],
  falsePositives: "With '--model PATH', a model that isn't this store's.",
  evidence: "Measured on real stores.",
  message: "{count} {entity is|entities are} listed by an old name: {entity} as {oldName}.")
