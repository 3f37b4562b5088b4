package import Base

/// What a forged mirror says, known from how it came about and not read from the store.
package struct MirrorTruth: Sendable {
  package enum RecordState: String, Sendable, CaseIterable {
    case uploaded, pendingUpload, pendingCloudDelete, deleteLeftover, neverAcknowledged, orphan
  }

  package struct Record: Sendable {
    /// Of the entity `?` where the row names none, with the key -1 where it has none.
    package var object: ForgedObject
    package var name: String
    package var zone: String
    package var type: String
    package var state: RecordState
    package var needsUpload: Bool
    package var needsCloudDelete: Bool
    package var isAcknowledged: Bool
    package var lastExported: Int64?
    package var pendingExport: Int64?
    package var objectExists: Bool
  }

  /// One pending change.
  package struct Waiting: Sendable, Hashable {
    package var kind: Kind
    /// The object that waits; of a link the one at its first end, where that has a record.
    package var object: ForgedObject?
    package var recordName: String?
    package var zone: String?
    /// Of an object: the deletion that waits, or the first change of the app's that does, where history still has it.
    package var transaction: Int64?
  }

  package enum TokenState: String, Sendable, CaseIterable {
    case current, behind, ahead, expired, foreign, missing, unreadable
  }

  package struct Zone: Sendable, Equatable {
    package var name: String
    package var owner: String
    package var scope: MirrorForge.Scope
    package var records: Int
    package var flags: Set<String>
    package var hasToken: Bool
    package var hasShare: Bool
    package var lastFetch: CoreDataDate?
  }

  package struct Event: Sendable, Equatable {
    package var kind: MirrorForge.EventKind
    package var identifier: String
    package var started: CoreDataDate
    package var ended: CoreDataDate?
    package var succeeded: Bool
    package var failure: MirrorFailure?
    package var affected: Int64
    package var finished: Int64
  }

  package enum Verdict: String, Sendable, CaseIterable {
    case idle, waiting, blocked, neverSetUp, unknown
  }

  package var records: [Record]
  package var waiting: [Waiting]
  package var token: TokenState
  /// The number in the token; nil where it has none for this store.
  package var tokenTransaction: Int64?
  package var zones: [Zone]
  package var events: [Event]
  package var verdict: Verdict

  package func count(_ kind: Kind) -> Int { waiting.count { $0.kind == kind } }
}

/// What an export finds in history: the states of the objects that it has to send.
struct HistoryAnalysis {
  /// In the order in which the objects were first met.
  private(set) var states: [ForgedObject: MirrorLedger.AnalyzerState]
  /// Objects whose insert and delete came to nothing, with the transaction of the delete.
  private(set) var dropped: [ForgedObject: Int64] = [:]
  private let mirrored: Set<Int64>
  private let includesImports: Bool

  /// - Parameters:
  ///   - leftovers: states of an export that died before it processed them.
  ///   - includesImports: whether what the mirror imported and reset counts as well.
  init(leftovers: [MirrorLedger.AnalyzerState], mirrored: Set<Int64>, includesImports: Bool) {
    states = Dictionary(leftovers.map { ($0.object, $0) }, uniquingKeysWith: { $1 })
    self.mirrored = mirrored
    self.includesImports = includesImports
  }

  mutating func add(_ transaction: ForgeTruth.Transaction, _ changes: [ForgeTruth.Change]) {
    switch Self.author(of: transaction) {
    case .export, .migration, .setup, .event: return
    case .import, .reset:
      guard !includesImports else { break }
      for change in changes where change.kind == .delete {
        states[change.object] = nil
        dropped[change.object] = nil
      }
      return
    case nil: break
    }
    for change in changes where mirrored.contains(change.object.entityNumber) {
      add(change, transaction.author)
    }
  }

  private mutating func add(_ change: ForgeTruth.Change, _ author: String?) {
    // An analysis that starts again from the beginning comes past the insert of an object that an earlier one left in the middle.
    guard change.kind != .insert, var state = states[change.object] else {
      dropped[change.object] = nil
      states[change.object] = .init(
        object: change.object, original: change.kind, final: change.kind,
        originalTransaction: change.transaction, finalTransaction: change.transaction, author: author)
      return
    }
    // What comes and goes between two exports is never sent.
    if state.original == .insert, change.kind == .delete {
      states[change.object] = nil
      dropped[change.object] = change.transaction
      return
    }
    state.final = change.kind
    state.finalTransaction = change.transaction
    state.author = author
    states[change.object] = state
  }

  /// Nil for the app and everybody else who isn't the mirror itself. Of context names only two count.
  static func author(of transaction: ForgeTruth.Transaction) -> MirrorForge.FrameworkAuthor? {
    if let author = MirrorForge.FrameworkAuthor.allCases.first(where: { $0.name == transaction.author }) {
      return author
    }
    return [.export, .import].first { $0.name == transaction.context }
  }
}
