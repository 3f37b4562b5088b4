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
