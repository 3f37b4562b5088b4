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
