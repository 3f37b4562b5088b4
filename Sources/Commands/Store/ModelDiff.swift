import Base
import Diagnostics
import Evidence
import Lens
import Rendering
import StoreModel

/// What another model changes, and the migration that each change needs.
struct ModelDiff {
  private let changes: [ModelChange]
  private let old: ModelSide
  private let new: ModelSide
  /// Of entities; a version hash may differ where nothing else does.
  private let changedHashes: [String]
  private let remedies: MigrationRemedies
  /// The models have no entity in common.
  private let isForeign: Bool

  /// - Parameter chosen: names of entities; all count if there are none.
  init(_ old: ModelSide, _ new: ModelSide, _ chosen: [String]) throws {
    (self.old, self.new) = (old, new)
    changedHashes = (AppModel.changed(old.hashes, new.hashes) ?? []).filter {
      chosen.isEmpty || chosen.contains($0)
    }
    let all = ModelChanges(from: old.model, to: new.model).all
    remedies = MigrationRemedies(all, to: new.model)
    isForeign = new.model.isForeign(to: old.model)
    let known = old.entityNames.union(new.entityNames)
    for entity in chosen where !known.contains(entity) {
      throw StoreScopeError(
        .notFound,
        "Neither model has an entity '\(entity)'.\(Suggestion.sentence(for: entity, in: known.sorted()))",
        about: entity, advice: "pass no entity to list all differences")
    }
    changes =
      chosen.isEmpty
      ? all : all.filter { chosen.contains($0.entity) || $0.older.entity.map(chosen.contains) == true }
  }

  /// - Parameter store: the older side's; nil if that is a model.
  func document(_ store: StoreIdentity?) -> Document {
    Document(
      command: "entities", store: store, payload: "changes", Self.fields, of: self,
      blocks: [.text(conclusion)] + tables)
  }

  /// Versions in different folders often have one name.
  private var name: String { old.name == new.name ? new.path : new.name }
  private var oldName: String { "'\(old.name == new.name ? old.path : old.name)'" }

  /// Of two stores the newer one's model is in the app.
  private var preflight: String {
    let model = new.isStore ? "MODEL" : ShellQuotes.readable(new.path)
    return "'storescope preflight STORE --model \(model)'"
  }

  private var conclusion: String {
    let counted = "\(Sentence.count(changes.count, "change")) in '\(name)'."
    let migrated = changes.filter { $0.migration != .nothing }
    if migrated.isEmpty, let entity = changedHashes.first {
      return
        "The version hash of \(entity) differs in '\(name)', for a reason that the model file doesn't show, so \(old.isStore ? "the store" : "a store of \(oldName)") is migrated.\(changes.isEmpty ? "" : " \(counted)")"
    }
    guard !changes.isEmpty else {
      return old.isStore && !new.isStore
        ? "'\(name)' is the store's model." : "\(oldName) and '\(name)' have the same model."
    }
    if isForeign {
      return """
        \(ModelDifference.noCommonEntity("'\(name)'", with: old.isStore ? "the store" : oldName)). \
        A migration to it would remove \(Sentence.count(changes.count { $0.kind == .entityRemoved }, "entity", "entities")).
        """
    }
    if migrated.isEmpty { return "No migration needed. \(counted)" }
    if let refused = ModelChange.listed(migrated.filter { $0.migration == .refused }) {
      return "Core Data can't infer the mapping (134190): \(refused). \(counted)"
    }
    if old.isMirrored, let renamed = ModelChange.listed(MirroredRenamings.refused(in: migrated)) {
      return
        "The store is mirrored, so Core Data refuses to rename entities and relationships (134110): \(renamed). \(counted)"
    }
    let doubt = ModelChange.listed(migrated.filter { $0.migration == .undocumented }).map {
      "Apple doesn't document whether Core Data can infer the mapping: \($0)."
    }
    if migrated.contains(where: { $0.migration.errorCode != nil }) {
      let depends = "whether the migration succeeds depends on the rows: \(preflight) looks at them."
      return
        "\(doubt.map { "\($0) If it can, \(depends)" } ?? "Core Data can infer the mapping, but \(depends)") \(counted)"
    }
    if migrated.contains(where: \.removesValues) {
      let lost = "the values of what is removed are lost: \(preflight) counts them."
      return
        "\(doubt.map { "\($0) If it can, \(lost)" } ?? "Core Data can infer the mapping, and \(lost)") \(counted)"
    }
    return "\(doubt ?? "Core Data can infer the mapping.") \(counted)"
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
          .text(words(change)),
        ]
      }
    ).withSentences()
  }
}

extension ModelDiff {
  private func words(_ change: ModelChange) -> String {
    let what =
      change.removesValues
      ? "\(change.words) (with \(change.kind == .entityRemoved ? "its objects" : "its values"))"
      : change.words
    let remedy = remedies.remedy(change)
    return remedy.isNeeded ? "\(what). \(remedy.text)" : what
  }

  static let fields: [Field<Self>] = [
    Field("changes", .list(.object(changeFields.keys())), "the differences") { diff in
      diff.changes.map { changeFields.object(of: ($0, diff.remedies)) }
    },
    Field("from", "the older model") { $0.old.name }, Field("to", "the newer one") { $0.new.name },
  ]

  private static let changeFields: [Field<(change: ModelChange, remedies: MigrationRemedies)>] = [
    Field("entity", "the entity") { $0.change.entity },
    Field("property", "the property; null for a change of the entity") { $0.change.property },
    Field("change", "what changes") { $0.change.kind }, Field("before", "what it was") { $0.change.before },
    Field("after", "what it becomes") { $0.change.after },
    Field("migration", "whether Core Data can migrate across it") { $0.change.migration },
    Field("code", "the error that it ends with if not") { $0.change.migration.errorCode },
    Field("remedy", "what to do about it") { $0.remedies.remedy($0.change).text },
  ]
}

/// One of two models that are compared: a store's own, or one that an app brings.
struct ModelSide {
  let name: String
  /// As the user named it.
  let path: String
  let model: ManagedObjectModel
  /// By entity; empty if they aren't known, or aren't this model's.
  let hashes: [String: [UInt8]]
  let isStore: Bool
  /// A store that has the tables of a mirror.
  let isMirrored: Bool

  init(_ open: OpenStore) throws {
    let store = open.store
    isMirrored = try open.mirror() != nil
    guard let model = store.model else {
      throw StoreScopeError(
        .lacking, store.path, "has no model to compare with", advice: "pass the store's own with --model PATH"
      )
    }
    (name, path) = (Platform.fileName(store.path), store.path)
    self.model = model
    // With --model two models are compared, whatever wrote the store.
    hashes = store.modelSource == .cache ? store.metadata.versionHashes : [:]
    isStore = true
  }

  /// - Parameter names: entities of the other side, which tell which of several models in an app is meant.
  init(modelAt path: String, having names: Set<String>) throws {
    let current = try AppModel.current(at: path, having: names)
    (name, model, hashes, self.path) = (current.name, current.model, current.versionHashes, path)
    (isStore, isMirrored) = (false, false)
  }

  /// As an app would bring it.
  var candidate: ModelCandidate {
    ModelCandidate(
      name: name, decoded: DecodedModel(model: model), isVerified: false, versionHashes: hashes)
  }

  var entityNames: Set<String> { Set(model.entities.map(\.name)) }

  /// Whether a store is meant rather than a model.
  static func isStore(_ path: String) -> Bool {
    let file = StoreSource.file(of: path)
    return file != path || StoreHeader.isDatabase(file)
  }
}

extension Invocation {
  /// What `entities --diff` compares, the older one first.
  func comparedModels(_ other: String) throws -> (old: ModelSide, new: ModelSide) {
    guard let model = modelInsteadOfStore else { return try comparedModels(store(), other) }
    if ModelSide.isStore(other) {
      let new = try read(other) { try ModelSide($0.open()) }
      return (try ModelSide(modelAt: model, having: new.entityNames), new)
    }
    let names = try [model, other].map(AppModel.entityNames)
    return (
      try ModelSide(modelAt: model, having: names[1]), try ModelSide(modelAt: other, having: names[0])
    )
  }

  private func comparedModels(_ session: Session, _ other: String) throws -> (old: ModelSide, new: ModelSide)
  {
    let old = try ModelSide(session.open())
    guard ModelSide.isStore(other) else {
      return (old, try ModelSide(modelAt: other, having: old.entityNames))
    }
    return (old, try session.model(ofStore: other, for: "--diff"))
  }
}

extension Session {
  /// The model of another store.
  func model(ofStore other: String, for option: String) throws -> ModelSide {
    let source = try source(of: other)
    guard !isSameFile(as: source) else {
      throw UsageError.conflict(
        "'\(other)' and '\(path)' are the same file; '\(option)' takes another store, or a model.")
    }
    return try ModelSide(openOther(source, asOfCommit: nil, readsWithModel: false).open())
  }
}
