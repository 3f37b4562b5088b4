package import CloudKitMirror
package import Evidence
import Lens
import Operations
package import Rendering
package import SQLite
package import StoreModel
import Values

/// One store, opened when a command first needs it, for as long as the command runs.
package final class Session {
  package private(set) var path: String
  private let modelPath: String?
  package let asOfCommit: Int?
  private let goesOn: (() -> Bool)?
  private var openedStore: OpenedStore?
  private var coreDataStore: CoreDataStore?
  /// Nil before it was looked for.
  private var readMirror: Mirror??
  private var hasLens = false
  /// The store that this one is compared with.
  private var other: Session?

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
    Amplification.reset()
    take(opened)
    return opened
  }

  private func take(_ opened: OpenedStore) {
    // Some ten thousand instructions take about a millisecond.
    if let goesOn { opened.connection.onProgress(everyInstructions: 10_000, goesOn) }
    openedStore = opened
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

  /// The same for SQL that the user wrote: it may ask the store's own views, and ends after so many seconds; nil for
  /// no end.
  func lensForUser(seconds: Int?) throws -> CoreDataStore {
    let store = try lens()
    store.connection.allowSchemaExpressions()
    store.connection.limitTime(seconds: seconds)
    return store
  }

  package func identity() throws -> StoreIdentity {
    let store = try store()
    return StoreIdentity(
      path: path, uuid: store.metadata.uuid, frameworkVersion: store.metadata.frameworkVersion)
  }

  /// Opens a second store, to be compared with this one.
  /// - Parameters:
  ///   - otherPath: nil for this store itself, as it was at another time.
  ///   - commitsAgo: the state to read; nil for the newest.
  package func openOther(_ otherPath: String?, asOfCommit commitsAgo: Int?) throws -> Session {
    let other = Session(
      path: otherPath ?? path, modelPath: modelPath, asOfCommit: commitsAgo, goesOn: goesOn)
    if otherPath == nil {
      let states = try StoreOpener.openStates(path: path, commitsAgo: [asOfCommit ?? 0, commitsAgo ?? 0])
      take(states[0])
      other.take(states[1])
    }
    self.other = other
    return other
  }

  /// Reads the store in a backup that storescope made, where the path names one's folder.
  package func lookIntoBackup() throws { path = try BackupManifest.store(in: path) ?? path }

  /// How the store was opened, and what was odd about it, a sentence each.
  package func notes() throws -> [String] {
    ["opened " + (try opened()).way.description] + (try opened()).warnings + (try store()).notes
      + (try other?.notes() ?? [])
  }

  /// What is missing from all that is read of the store, a sentence each.
  package func warnings() throws -> [String] { try opened().warnings + (other?.warnings() ?? []) }

  /// Checks that nothing moved while the store was read.
  package func finish() throws {
    try openedStore?.finish()
    try other?.finish()
  }
}
