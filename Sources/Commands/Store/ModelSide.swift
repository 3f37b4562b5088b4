import Diagnostics
import Evidence
import Lens
import StoreModel
import SystemCalls
import Values

/// One of two models that are compared: a store's own, or one that an app brings.
struct ModelSide {
  let name: String
  /// As the user named it.
  let path: String
  let model: ManagedObjectModel
  /// By entity; empty if they aren't known, or aren't this model's.
  let hashes: [String: [UInt8]]
  let isStore: Bool

  init(_ store: CoreDataStore) throws {
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
    isStore = false
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
      let new = try read(other) { try ModelSide($0.open().store) }
      return (try ModelSide(modelAt: model, having: new.entityNames), new)
    }
    let names = try [model, other].map(AppModel.entityNames)
    return (
      try ModelSide(modelAt: model, having: names[1]), try ModelSide(modelAt: other, having: names[0])
    )
  }

  private func comparedModels(_ session: Session, _ other: String) throws -> (old: ModelSide, new: ModelSide)
  {
    let old = try ModelSide(session.open().store)
    guard ModelSide.isStore(other) else {
      return (old, try ModelSide(modelAt: other, having: old.entityNames))
    }
    let source = try session.source(of: other)
    guard !session.isSameFile(as: source) else {
      throw UsageError.conflict(
        "'\(other)' and '\(session.path)' are the same file; '--diff' takes another store, or a model.")
    }
    return (
      old, try ModelSide(session.openOther(source, asOfCommit: nil, readsWithModel: false).open().store)
    )
  }
}
