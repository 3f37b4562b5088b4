import Base
import Lens
package import StoreModel

/// The model that the app brings: one, or several that it merges.
package struct AppModel: Sendable {
  /// What the app opens the store with.
  package private(set) var current: ModelCandidate
  /// The version among the app's that wrote the store; nil if none did.
  package private(set) var storesVersion: ModelCandidate?
  /// Versions that the app brings, the current one included.
  package private(set) var versions: Int
  /// Compiled mapping models next to the models, by their names. They aren't read.
  package let mappings: [String]

  /// - Parameters:
  ///   - paths: models in any of Xcode's forms, or bundles and folders that hold some. Of several in a bundle those count
  ///     that have entities of the store, if any has.
  ///   - model: the model of what is another store, nil for what isn't: an app whose model is in its code has none to show.
  /// - Throws: `StoreScopeError` if there is no model.
  package init(
    _ paths: [String], ofStore model: (String) throws -> ModelCandidate? = { _ in nil },
    of store: CoreDataStore
  ) throws {
    let names = Set(store.schema.entities.map(\.name))
    let stores = try paths.map(model)
    let bundles = zip(paths, stores).filter { $1 == nil }.map { (path: $0.0, bundle: ModelBundle($0.0)) }
    let parts =
      try stores.compactMap { $0.map(Part.init) }
      + bundles.flatMap {
        try Self.parts($0.path, $0.bundle, having: names.union(store.metadata.versionHashes.keys))
      }
    mappings = bundles.flatMap(\.bundle.mappings)
    current = try Self.current(parts)
    // The app's other stores have models of their own.
    let own = parts.filter { $0.versions.contains { !names.isDisjoint(with: $0.model.entities.map(\.name)) } }
    versions = (own.isEmpty ? parts : own).map(\.versions.count).max() ?? 1
    storesVersion = try own.count == 1 ? own[0].version(of: store) : Self.merged(own, of: store)
  }

  /// What the app at that path, as above, opens a store with that has entities of these names.
  package static func current(at path: String, having names: Set<String>) throws -> ModelCandidate {
    try current(parts(path, ModelBundle(path), having: names))
  }

  /// Of all models there.
  package static func entityNames(at path: String) throws -> Set<String> {
    let parts = try all(path, ModelBundle(path))
    return Set(parts.flatMap(\.versions).flatMap { $0.model.entities.map(\.name) })
  }

  private static func all(_ path: String, _ bundle: ModelBundle) throws -> [Part] {
    try (bundle.models.isEmpty ? [path] : bundle.models).map(Part.init)
  }

  private static func parts(
    _ path: String, _ bundle: ModelBundle, having names: Set<String>
  ) throws -> [Part] {
    let all = try all(path, bundle)
    guard all.count > 1 else { return all }
    let own = all.filter { part in
      part.versions.contains { $0.model.entities.contains { names.contains($0.name) } }
    }
    return own.isEmpty ? all : own
  }

  private static func current(_ parts: [Part]) throws -> ModelCandidate {
    guard let first = parts.first else {
      throw StoreScopeError(
        .invalid, "There is no model to compare the store with", advice: "pass one with --model")
    }
    return try parts.dropFirst().reduce(first.versions[0]) { try merge($0, $1.versions[0]) }
  }

  /// Core Data throws if it has to merge models that have different entities of one name:
  /// https://developer.apple.com/documentation/coredata/nsmanagedobjectmodel/init(bymerging:)
  private static func merge(_ one: ModelCandidate, _ other: ModelCandidate) throws -> ModelCandidate {
    let shared = Set(one.model.entities.map(\.name)).intersection(other.model.entities.map(\.name))
    let difference = ModelChanges(from: one.model, to: other.model).all.first {
      shared.contains($0.entity) && $0.migration != .nothing && $0.kind != .hierarchiesMerged
    }
    if let difference {
      throw StoreScopeError(
        .invalid,
        "'\(one.name)' and '\(other.name)' can't be merged, as both have '\(difference.entity)' (\(difference.sentence))",
        advice: "to compare with several versions of one model, pass the .momd or .xcdatamodeld that has them"
      )
    }
    return one.merged(with: other)
  }

  /// Entities that the store has as well and whose version hash is another one; nil if the hashes aren't known.
  package func changedHashes(_ store: CoreDataStore) -> [String]? {
    Self.changed(store.metadata.versionHashes, current.versionHashes)
  }

  /// The same for any two models.
  package static func changed(_ known: [String: [UInt8]], _ hashes: [String: [UInt8]]) -> [String]? {
    let common = known.keys.filter { hashes[$0] != nil }.sorted()
    guard !common.isEmpty, common.count == known.count else { return nil }
    return common.filter { known[$0] != hashes[$0] }
  }

  /// The models of one file or folder, the current version first.
  private struct Part {
    /// Nil for a store's own.
    let path: String?
    let versions: [ModelCandidate]

    init(_ path: String) throws {
      self.path = path
      versions = try ModelFile.load(path: path, metadata: nil)
    }

    init(_ model: ModelCandidate) { (path, versions) = (nil, [model]) }

    func version(of store: CoreDataStore) throws -> ModelCandidate? {
      // Thrown if none is the store's, which is what is asked.
      let chosen = path.flatMap { try? ModelFile.load(path: $0, metadata: store.metadata) }
      if let verified = chosen?.first(where: \.isVerified) { return verified }
      return versions.first { AppModel.isModel($0.model, of: store) }
    }

    /// Whether all entities of that version are in the store as they are.
    func isPart(_ version: ModelCandidate, of hashes: Set<String>, _ old: ManagedObjectModel?) -> Bool {
      guard version.model.entities.allSatisfy({ hashes.contains($0.name) }) else { return false }
      guard let old else { return true }
      let names = Set(version.model.entities.map(\.name))
      return ModelChanges(from: old, to: version.model).all.allSatisfy {
        $0.migration == .nothing || ($0.kind == .entityRemoved && !names.contains($0.entity))
      }
    }
  }

  /// The versions of each part that the store was written with, if together they are its model.
  private static func merged(_ parts: [Part], of store: CoreDataStore) throws -> ModelCandidate? {
    let names = Set(store.schema.entities.map(\.name))
    let chosen = parts.compactMap { part in
      part.versions.first { part.isPart($0, of: names, store.model) }
    }
    guard chosen.count == parts.count, let first = chosen.first else { return nil }
    let all = chosen.dropFirst().reduce(first) { $0.merged(with: $1) }
    return isModel(all.model, of: store) ? all : nil
  }

  /// Whether the store was written with that model: nothing in the store's own needs a migration, or, if it keeps none, the
  /// tables are what the model makes of them.
  private static func isModel(_ model: ManagedObjectModel, of store: CoreDataStore) -> Bool {
    if let own = store.model {
      return ModelChanges(from: own, to: model).all.allSatisfy { $0.migration == .nothing }
    }
    return SchemaBuilder.build(model: model, primaryKeys: store.primaryKeys, tables: store.tables)
      .discrepancies.isEmpty
  }
}

/// The models in an app, or in any folder that isn't a model itself.
private struct ModelBundle {
  private(set) var models: [String] = []
  private(set) var mappings: [String] = []
  private var namesLeft = 20_000

  /// A framework in an app has its models at `Frameworks/X.framework/Versions/A/Resources`.
  private static let deepest = 8

  init(_ path: String) {
    let path = Platform.withoutLastSlashes(path)
    guard FileReader.kind(of: path) == .folder, let names = try? FileReader.names(in: path, limit: namesLeft),
      !Self.isModel(names)
    else { return }
    search(path, names, depth: 0)
  }

  /// A folder with several .mom and nothing else is a .momd without its list of versions.
  private static func isModel(_ names: [String]) -> Bool {
    names.contains { $0 == "contents" || $0 == "VersionInfo.plist" || $0.hasSuffix(".xcdatamodel") }
      || (!names.isEmpty && names.allSatisfy { $0.hasSuffix(".mom") || $0.hasSuffix(".omo") })
  }

  private mutating func search(_ folder: String, _ names: [String], depth: Int) {
    namesLeft -= names.count
    for name in names.sorted() where !name.hasPrefix(".") {
      let path = "\(folder)/\(name)"
      if name.hasSuffix(".momd") || name.hasSuffix(".mom") || name.hasSuffix(".xcdatamodeld") {
        models.append(path)
      } else if name.hasSuffix(".cdm") {
        mappings.append(SideFiles.stem(of: name))
      } else if depth < Self.deepest, namesLeft > 0, FileStatus(ofLink: path)?.kind == .folder,
        let inner = try? FileReader.names(in: path, limit: namesLeft)
      {
        search(path, inner, depth: depth + 1)
      }
    }
  }
}
