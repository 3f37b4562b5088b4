import Diagnostics
import Rendering
import StoreModel
import Values

/// What another model changes, and the migration that each change needs.
struct ModelDiff {
  private let changes: [ModelChange]
  private let name: String

  /// - Parameter chosen: names of entities; all count if there are none.
  init(_ store: CoreDataStore, _ path: String, _ chosen: [String]) throws {
    let app = try AppModel([path], of: store)
    guard let model = store.model else {
      throw StoreScopeError(
        .lacking, store.path, "has no model to compare with", advice: "pass the store's own with --model PATH"
      )
    }
    name = app.current.name
    let all = ModelChanges(from: model, to: app.current.model).all
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
      blocks: [.text(conclusion)] + (changes.isEmpty ? [] : [.text(""), .table(table)]))
  }

  private var conclusion: String {
    guard !changes.isEmpty else { return "'\(name)' is the store's model." }
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
    if migrated.contains(where: \.removesValues) {
      return
        "Core Data can infer the mapping, and leaves out the values of what is removed: 'preflight --model' counts them. \(counted)"
    }
    return "Core Data can infer the mapping. \(counted)"
  }

  private var table: RowStream {
    RowStream(
      columns: [.init("what"), .init("change"), .init("migration")],
      rows: changes.map { change in
        [
          .text(change.subject), .text(change.words),
          .text(
            change.removesValues ? "\(change.migration.words), drops values" : change.migration.words),
        ]
      }, emptyText: "(no changes)"
    ).withSentences().counting("change", "changes")
  }
}

extension ModelChange {
  fileprivate var removesValues: Bool {
    [.entityRemoved, .attributeRemoved, .relationshipRemoved, .becameTransient].contains(kind)
  }

  fileprivate var words: String {
    let values = [before, after].compactMap(\.self).joined(separator: " → ")
    let isNew = kind == .attributeAdded || kind == .relationshipAdded
    let what = isNew && migration == .failsWithRows ? "required \(kind.words)" : kind.words
    return values.isEmpty ? what : "\(what): \(values)"
  }

  fileprivate var value: DataValue {
    [
      "entity": .text(entity), "property": .optional(property), "change": .text(kind.rawValue),
      "before": .optional(before), "after": .optional(after), "migration": .text(migration.rawValue),
      "code": .optional(migration.errorCode.map(Int64.init)),
    ]
  }
}
