import Diagnostics
import Rendering
import StoreModel
import Values

/// What another model changes, and the migration that each change needs.
struct ModelDiff {
  private let changes: [ModelChange]
  private let name: String
  private let older: ManagedObjectModel
  /// Of entities; a version hash may differ where nothing else does.
  private let changedHashes: [String]
  /// The models have no entity in common.
  private let isForeign: Bool

  /// - Parameter chosen: names of entities; all count if there are none.
  init(_ store: CoreDataStore, _ path: String, _ chosen: [String]) throws {
    let app = try AppModel([path], of: store)
    guard let model = store.model else {
      throw StoreScopeError(
        .lacking, store.path, "has no model to compare with", advice: "pass the store's own with --model PATH"
      )
    }
    name = app.current.name
    older = model
    // With --model two models are compared, whatever wrote the store.
    let hashes = store.modelSource == .cache ? app.changedHashes(store) : nil
    changedHashes = (hashes ?? []).filter { chosen.isEmpty || chosen.contains($0) }
    let all = ModelChanges(from: model, to: app.current.model).all
    isForeign = app.current.model.isForeign(to: model)
    let known = Set(model.entities.map(\.name) + app.current.model.entities.map(\.name))
    for entity in chosen where !known.contains(entity) {
      throw StoreScopeError(
        .notFound,
        "Neither model has an entity '\(entity)'.\(Suggestion.sentence(for: entity, in: known.sorted()))",
        about: entity, advice: "'storescope entities' lists them all")
    }
    changes =
      chosen.isEmpty
      ? all : all.filter { chosen.contains($0.entity) || $0.older.entity.map(chosen.contains) == true }
  }

  func document(_ session: Session) throws -> Document {
    Document(
      command: "entities", store: try session.identity(),
      fields: [.init("changes", .array(changes.map(\.value))), .init("to", .text(name))], payload: "changes",
      blocks: [.text(conclusion)] + tables)
  }

  private var conclusion: String {
    if changes.isEmpty, let entity = changedHashes.first {
      return
        "The version hash of \(entity) differs in '\(name)', for a reason that the model file doesn't show, so the store is migrated."
    }
    guard !changes.isEmpty else { return "'\(name)' is the store's model." }
    if isForeign {
      return """
        \(ModelDifference.noCommonEntity("'\(name)'")). \
        A migration to it would remove \(Sentence.count(changes.count { $0.kind == .entityRemoved }, "entity", "entities")).
        """
    }
    let counted = "\(Sentence.count(changes.count, "change")) in '\(name)'."
    let migrated = changes.filter { $0.migration != .nothing }
    if migrated.isEmpty { return "No migration needed. \(counted)" }
    if let change = migrated.first(where: { $0.migration == .refused }) {
      return "Core Data can't infer the mapping (134190): \(change.sentence). \(counted)"
    }
    let conditional = migrated.filter { $0.migration.errorCode != nil }
    if !conditional.isEmpty {
      return
        "Core Data can infer the mapping, but whether the migration succeeds depends on the rows: 'preflight --model' looks at them. \(counted)"
    }
    if let change = migrated.first(where: { $0.migration == .undocumented }) {
      return "Apple doesn't document whether Core Data can infer the mapping: \(change.sentence). \(counted)"
    }
    if migrated.contains(where: removesValues) {
      return
        "Core Data can infer the mapping, and the values of what is removed are lost: 'preflight --model' counts them. \(counted)"
    }
    return "Core Data can infer the mapping. \(counted)"
  }

  /// What concerns whole entities, then entity by entity: names with their entity in front would take the room of the rest.
  private var tables: [Document.Block] {
    guard !isForeign else { return [] }
    let whole = changes.filter { $0.property == nil }
    let entities = changes.reduce(into: [String]()) { names, change in
      if change.property != nil, names.last != change.entity { names.append(change.entity) }
    }
    return (whole.isEmpty ? [] : [.heading("Entities"), .table(table(whole, "entity", \.entity))])
      + entities.flatMap { entity -> [Document.Block] in
        let own = changes.filter { $0.entity == entity && $0.property != nil }
        return [.heading(entity), .table(table(own, "property") { $0.property ?? "" })]
      }
  }

  private func table(
    _ changes: [ModelChange], _ subject: String, _ name: (ModelChange) -> String
  ) -> RowStream {
    RowStream(
      columns: [.init(subject), .init("migration"), .init("change")],
      rows: changes.map { change in
        [
          .text(name(change)), .text(change.migration.words),
          .text(
            removesValues(change)
              ? "\(change.words) (with \(change.kind == .entityRemoved ? "its objects" : "its values"))"
              : change.words),
        ]
      }
    ).withSentences()
  }
}

extension ModelDiff {
  /// A transient attribute has no values in the store.
  private func removesValues(_ change: ModelChange) -> Bool {
    guard [.entityRemoved, .attributeRemoved, .relationshipRemoved, .becameTransient].contains(change.kind)
    else {
      return false
    }
    let entity = change.older.entity.flatMap { older[$0] }
    let attribute = entity?.attributes.first { $0.name == change.older.properties.first }
    return attribute?.isTransient != true
  }
}

extension ModelChange {
  fileprivate var value: DataValue {
    [
      "entity": .text(entity), "property": .optional(property), "change": .text(kind.rawValue),
      "before": .optional(before), "after": .optional(after), "migration": .text(migration.rawValue),
      "code": .optional(migration.errorCode.map(Int64.init)),
    ]
  }
}
