import Base
package import Evidence
package import SQLite
package import StoreModel

/// A store that is open: its bytes, its model, its views and its mirror, each made once, the last two when they are first
/// asked for. Every layer above is given one, and opens nothing of this by itself.
///
/// It shows one state of the store: whoever writes to the store doesn't use it afterward.
package final class OpenStore {
  package let store: CoreDataStore
  /// How the bytes were opened; nil where there is a connection alone: under an operation's lock, and in a rehearsal.
  package let opened: OpenedStore?
  /// History's tables and the mirror's, whether or not there are any.
  package let tables: FrameworkTables
  private let modelPath: String?
  /// Asked again and again by connections of other threads; false makes SQLite stop with an error.
  package var goesOn: () -> Bool = { !Interruption.isWatched || !Interruption.isRequested }
  /// Nil before it was looked for.
  private var knownMirror: Mirror??
  private var knownReaders: [CoreDataStore]?
  /// How names are shown while values are withheld; nil if they aren't. Made when first asked for.
  private var makeNames: (() throws -> ShownNames)?
  private var knownNames: ShownNames?
  private var hasFunctions = false
  private var hasViews = false

  /// Reads the model; see `CoreDataStore`.
  package convenience init(_ opened: OpenedStore, path: String, modelPath: String? = nil) throws {
    let store = try CoreDataStore(
      connection: opened.connection, path: path, resolvedPath: opened.files.resolvedPath, modelPath: modelPath
    )
    self.init(store, opened, modelPath: modelPath)
  }

  /// The same of a store that somebody has opened who does more than read it.
  package convenience init(
    _ connection: Connection, path: String, resolvedPath: String? = nil, modelPath: String? = nil
  ) throws {
    let store = try CoreDataStore(
      connection: connection, path: path, resolvedPath: resolvedPath, modelPath: modelPath)
    self.init(store, nil, modelPath: modelPath)
  }

  private init(_ store: CoreDataStore, _ opened: OpenedStore?, modelPath: String?) {
    self.store = store
    self.opened = opened
    self.modelPath = modelPath
    tables = FrameworkTables(store.tables)
  }

  // What the mirror keeps are statements: they go before the bytes that they read, and before the locks on these.
  deinit { knownMirror = nil }

  package var path: String { store.path }
  package var connection: Connection { store.connection }

  /// How the bytes were opened.
  /// - Throws: `StoreScopeError` where there is a connection alone.
  package func bytes() throws -> OpenedStore {
    guard let opened else {
      throw StoreScopeError(.lacking, "It isn't known how '\(path)' was opened", about: path)
    }
    return opened
  }

  /// The store seen through another connection to the same state.
  package func store(through connection: Connection) throws -> CoreDataStore {
    try CoreDataStore(
      connection: connection, path: path, resolvedPath: opened?.files.resolvedPath, modelPath: modelPath)
  }

  /// The store as each of several threads may read it: with this one's connection, and with more of their own to the same
  /// state.
  /// - Returns: this one alone where there can't be more.
  package func stores(_ count: Int) throws -> [CoreDataStore] {
    let more = try opened?.moreConnections(count - 1) ?? []
    more.forEach { $0.onProgress(goesOn) }
    return try [store] + more.map(store(through:))
  }

  /// The store for more threads, while this one goes on reading; none of a small one, which is read faster than opened.
  package func otherReaders() throws -> [CoreDataStore] {
    if let knownReaders { return knownReaders }
    guard isForThreads else { return [] }
    let readers = Array(try stores(1 + min(4, Threads.processors)).dropFirst())
    knownReaders = readers
    return readers
  }

  /// Whether more threads than one read it; a small store is read before a second one could have opened it.
  package var isForThreads: Bool { opened.map { $0.files.main.size > sizeForThreads } ?? false }

  /// Bytes of the main file.
  package var sizeForThreads: Int64 = 32 << 20

  /// The same store for another thread, with a connection, a model and a mirror of its own; nil where there can't be one.
  package func sibling() throws -> OpenStore? {
    let stores = try stores(2)
    return stores.count > 1 ? OpenStore(stores[1], opened, modelPath: modelPath) : nil
  }

  /// The store's mirror; nil where it has no table of one.
  /// - Throws: `SQLiteError`.
  package func mirror() throws -> Mirror? {
    if let knownMirror { return knownMirror }
    try installFunctions()
    let mirror = try Mirror(store, tables)
    mirror?.otherReaders = { [weak self] in try self?.otherReaders() ?? [] }
    knownMirror = .some(mirror)
    return mirror
  }

  /// The store with the model's names in SQL: functions and temporary views on its own connection. Views that nobody asks
  /// cost nothing, and nothing is written to the store: they live in SQLite's `temp` database.
  ///
  /// Call it before `allowOnlyReading()`, which refuses to make views. What stands behind the mirror's views is read when
  /// SQL first needs it.
  package func lens() throws -> CoreDataStore {
    guard !hasViews else { return store }
    try installFunctions()
    let mirrorViews = try mirror()?.views.all ?? []
    try makingViews { try Lens.install(in: store, tables, with: mirrorViews) }
    return store
  }

  private func makingViews(_ make: () throws -> Void) throws {
    do { try make() } catch let error as SQLiteError where error.isDamage && opened != nil {
      // What was read before has met it: the views themselves have nothing to do with it.
      try connection.beginAgain()
      try make()
    }
    hasViews = true
  }

  /// From now on what is made of the store for people withholds values.
  package func withholdValues(_ names: @escaping () throws -> ShownNames) {
    makeNames = names
    store.withholdsValues = true
  }

  /// How names are shown; nil if values are.
  package func shownNames() throws -> ShownNames? {
    if let knownNames { return knownNames }
    knownNames = try makeNames?()
    return knownNames
  }

  /// The same as `lens()` with what may be seen while values are withheld.
  package func openLens() throws -> CoreDataStore {
    guard let names = try shownNames() else { return try lens() }
    try installFunctions()
    let mirrorViews = try mirror()?.views.all ?? []
    try makingViews { try Lens.withhold(in: store, tables, with: mirrorViews, names) }
    return store
  }

  /// A statement that SQLite has compiled on `lens()`, compiled on `openLens()`, which takes the place of the former.
  /// - Throws: `SQLiteError` if it asks more than may be seen.
  package func openStatement(_ sql: String) throws -> Statement {
    let views = try mirror()?.views.all ?? []
    _ = try Lens.model(of: store, tables, with: views).prepare(sql)
    connection.allowEverything()
    _ = try openLens()
    connection.allowOnlyReading(try Lens.openNames(in: store, tables, with: views))
    let statement = try connection.prepare(sql)
    // The functions behind the views read what they need.
    connection.allowOnlyReading()
    return statement
  }

  private func installFunctions() throws {
    guard !hasFunctions else { return }
    try LensFunctions.install(in: store)
    hasFunctions = true
  }
}
