package import Base
package import Evidence
package import Lens
import Redaction
package import Rendering
import Reports
import SQLite
import StoreModel

/// One store, opened when a command first needs it, until everything that the command wants of it was read. What is open
/// keeps an app from writing, so nothing of it outlives `finish`.
package final class Session {
  let modelPath: String?
  package private(set) var asOfCommit: Int?

  /// `as of 2 commits ago`; nil for the newest state.
  var asOf: String? { asOfCommit.flatMap(Self.asOf) }

  static func asOf(_ commitsAgo: Int) -> String? {
    commitsAgo > 0 ? "as of \(Sentence.count(commitsAgo, "commit")) ago" : nil
  }
  private let goesOn: (() -> Bool)?
  /// What stands for names while values are withheld; nil if they aren't.
  private let marks: Marks?
  /// Where the path leads.
  private(set) var source: StoreSource
  private var openedStore: OpenedStore?
  private var openStore: OpenStore?
  private var knownIdentity: StoreIdentity?
  /// The store that this one is compared with.
  private var other: Session?
  private var isFinished = false
  private var (ownWarnings, ownNotes): ([String], [String]) = ([], [])
  /// See `StoreOpener.open`.
  var toleratesDamage = false
  /// False once something has been written that belongs to the state that was read.
  package var mayBeRepeated = true

  /// - Parameter goesOn: asked again and again while SQLite works; false makes it stop with an error.
  package convenience init(
    path: String, modelPath: String? = nil, asOfCommit: Int? = nil, goesOn: (() -> Bool)? = nil
  ) {
    self.init(StoreSource(at: path), modelPath: modelPath, asOfCommit: asOfCommit, goesOn: goesOn)
  }

  package init(
    _ source: StoreSource, modelPath: String? = nil, asOfCommit: Int? = nil, goesOn: (() -> Bool)? = nil,
    withheldBy marks: Marks? = nil
  ) {
    self.source = source
    self.goesOn = goesOn
    self.marks = marks
    self.modelPath = modelPath
    self.asOfCommit = asOfCommit
  }

  /// The bytes, and how they were opened.
  package func opened() throws -> OpenedStore {
    if let openedStore { return openedStore }
    // Another look would be at another state, and at its end take away the locks of whoever writes by now.
    guard !isFinished else {
      throw StoreScopeError(.failed, "The store '\(path)' was closed already", about: path)
    }
    let opened = try StoreOpener.open(
      path: path, at: location, asOfCommit: asOfCommit, toleratesDamage: toleratesDamage)
    Amplification.reset()
    take(opened)
    return opened
  }

  /// As sentences and results call the store.
  package var path: String { source.path }

  /// Where the store's file is.
  package var location: String { source.location }

  /// Reads another store in place of this one, which isn't open yet.
  func read(at path: String) { source = StoreSource(at: path) }

  /// Reads the store, which isn't open yet, as it was so many commits ago.
  func read(asOfCommit commitsAgo: Int) { asOfCommit = commitsAgo }

  /// Another store, from whose container the same password may take it.
  func source(of named: String) throws -> StoreSource { try StoreSource(named, password: source.password) }

  private func take(_ opened: OpenedStore) {
    // Some ten thousand instructions take about a millisecond.
    if let goesOn { opened.connection.onProgress(everyInstructions: 10_000, goesOn) }
    openedStore = opened
    ownWarnings += opened.warnings
    ownNotes += ["opened " + opened.way.description] + opened.warnings
  }

  /// The store with its model, and all that is read of it.
  package func open() throws -> OpenStore {
    if let openStore { return openStore }
    let open = try OpenStore(opened(), path: path, modelPath: modelPath)
    if let goesOn { open.goesOn = goesOn }
    if let marks { AssistantView.withholdValues(of: open, marks) }
    openStore = open
    ownNotes += open.store.notes
    return open
  }

  /// The store as several threads may read it at the same time; see `OpenStore.stores`.
  func readers() throws -> [CoreDataStore] {
    // What is read and decoded is also put in order and written, by one.
    try open().stores(min(4, Threads.processors))
  }

  /// The store with the model's names for SQL that the user wrote: it may ask the store's own views, and ends after so
  /// many seconds; nil for no end.
  func lensForUser(seconds: Int?) throws -> CoreDataStore {
    let store = try open().lens()
    store.connection.allowSchemaExpressions()
    return try limited(seconds: seconds)
  }

  /// The store for a condition that the user wrote, which ends after so many seconds; nil for no end.
  func limited(seconds: Int?) throws -> CoreDataStore {
    let store = try open().store
    store.connection.limitTime(
      seconds: seconds.map(Double.init),
      reason:
        "the SQL took longer than \(Sentence.count(seconds ?? 0, "second")) of computing. --timeout SECONDS gives it more time, --timeout 0 as much as it needs"
    )
    return store
  }

  package func identity() throws -> StoreIdentity {
    if let knownIdentity { return knownIdentity }
    let store = try open().store
    let identity = StoreIdentity(
      path: path, uuid: store.metadata.uuid, frameworkVersion: store.metadata.frameworkVersion,
      isRedacted: store.isRedacted)
    knownIdentity = identity
    return identity
  }

  /// Opens a second store, to be compared with this one.
  /// - Parameters:
  ///   - otherSource: nil for this store itself, as it was at another time.
  ///   - commitsAgo: the state to read; nil for the newest.
  ///   - readsWithModel: whether the model that the user named for this store is the other's as well.
  package func openOther(
    _ otherSource: StoreSource?, asOfCommit commitsAgo: Int?, readsWithModel: Bool = true
  ) throws -> Session {
    let other = Session(
      otherSource ?? source, modelPath: readsWithModel ? modelPath : nil, asOfCommit: commitsAgo,
      goesOn: goesOn)
    if otherSource == nil {
      let states = try StoreOpener.openStates(
        path: path, at: location, commitsAgo: [asOfCommit ?? 0, commitsAgo ?? 0])
      take(states[0])
      other.take(states[1])
    }
    self.other = other
    return other
  }

  func isSameFile(as other: StoreSource) -> Bool {
    if other.path == path { return true }
    let identity = FileIdentity(following: other.location)
    return identity != nil && identity == FileIdentity(following: location)
  }

  /// What is missing from all that was read, a sentence each. Opens nothing.
  package var warnings: [String] {
    let others = other.map { $0.source === source ? $0.ownWarnings : $0.warnings } ?? []
    return (source.warning.map { [$0] } ?? []) + ownWarnings + others
  }

  /// How the store was opened, and what was odd about it, a sentence each. Opens nothing.
  package func notes() throws -> [String] {
    let others = try other.map { try ($0.source === source ? [] : $0.source.notes()) + $0.ownNotes } ?? []
    return try (source.warning.map { [$0] } ?? []) + source.notes() + ownNotes + others
  }

  /// Closes the store. What was read of it is whole only if this doesn't throw: nothing moved meanwhile.
  package func finish() throws {
    defer { close() }
    try openedStore?.finish()
    try other?.finish()
  }

  /// Closes the store after an error.
  /// - Returns: whether it isn't what it was when it was opened, so that it may be the change that was met; nil if it
  ///   never was open.
  func endsChanged() -> Bool? {
    defer { close() }
    let changes = [openedStore?.endsChanged(), other?.endsChanged()].compactMap { $0 }
    return changes.isEmpty ? nil : changes.contains(true)
  }

  /// Whether locks kept what was read whole.
  var isLocked: Bool { openedStore?.isLocked ?? true && other?.isLocked ?? true }

  private func close() {
    isFinished = true
    (openedStore, openStore) = (nil, nil)
  }
}

/// What commands show an assistant.
package struct AssistantView: Sendable {
  /// What stands for names and values; nil if they are shown.
  let marks: Marks?

  /// What is said of a question whose answer would show values.
  static let refusal = "this server shows no values; start it with --include-values"

  static func withholdValues(of open: OpenStore, _ marks: Marks) {
    open.withholdValues { [unowned open] in
      let privacy = try privacy(of: open, marks)
      return ShownNames { privacy.mask($1, $0) }
    }
  }

  static func privacy(of open: OpenStore, _ marks: Marks) throws -> ReportPrivacy {
    // Without its zones, none is named either.
    let zones = (try? open.mirror()?.zones) ?? []
    return ReportPrivacy(
      marks, of: open.store, zones: zones, sharedNames: try? SharedNames(open.store),
      structure: StructureNames.all(in: open.store), keepsURIs: true)
  }
}
