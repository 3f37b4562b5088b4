package import CloudKitMirror
package import Evidence
import Lens
package import Rendering
package import SQLite
package import StoreModel
import Values

/// One store, opened when a command first needs it, for as long as the command runs.
package final class Session {
  package let path: String
  private let modelPath: String?
  private let asOfCommit: Int?
  private let goesOn: (() -> Bool)?
  private var openedStore: OpenedStore?
  private var coreDataStore: CoreDataStore?
  /// Nil before it was looked for.
  private var readMirror: Mirror??
  private var hasLens = false

  /// - Parameter goesOn: asked again and again while SQLite works; false makes it stop with an error.
  package init(
    path: String, modelPath: String? = nil, asOfCommit: Int? = nil, goesOn: (() -> Bool)? = nil
  ) {
    self.goesOn = goesOn
    self.path = path
    self.modelPath = modelPath
    self.asOfCommit = asOfCommit
  }

  /// The bytes, and how they were opened.
  package func opened() throws -> OpenedStore {
    if let openedStore { return openedStore }
    let opened = try StoreOpener.open(path: path, asOfCommit: asOfCommit)
    // Some ten thousand instructions take about a millisecond.
    if let goesOn { opened.connection.onProgress(everyInstructions: 10_000, goesOn) }
    openedStore = opened
    return opened
  }

  /// The store with its model.
  package func store() throws -> CoreDataStore {
    if let coreDataStore { return coreDataStore }
    let store = try store(through: opened().connection)
    coreDataStore = store
    return store
  }

  /// The same, seen through another connection to the files.
  package func store(through connection: Connection) throws -> CoreDataStore {
    try CoreDataStore(
      connection: connection, path: path, resolvedPath: opened().files.resolvedPath, modelPath: modelPath)
  }

  /// The store's mirror; nil where it is not mirrored.
  package func mirror() throws -> Mirror? {
    if let readMirror { return readMirror }
    let mirror = try Mirror(store())
    readMirror = .some(mirror)
    return mirror
  }

  /// The store with the model's names in SQL.
  package func lens() throws -> CoreDataStore {
    let store = try store()
    if !hasLens {
      try Lens.install(in: store)
      if let mirror = try mirror() { try MirrorViews(mirror).install() }
    }
    hasLens = true
    return store
  }

  package func identity() throws -> StoreIdentity {
    let store = try store()
    return StoreIdentity(
      path: path, uuid: store.metadata.uuid, frameworkVersion: store.metadata.frameworkVersion)
  }

  /// How the store was opened, and what was odd about it, a sentence each.
  package func notes() throws -> [String] {
    ["opened " + (try opened()).way.description] + (try opened()).warnings + (try store()).notes
  }

  /// What is missing from all that is read of the store, a sentence each.
  package func warnings() throws -> [String] { try opened().warnings }

  /// Checks that nothing moved while the store was read.
  package func finish() throws { try openedStore?.finish() }
}
