import Base
import Lens
import StoreModel

extension Rule {
  static let historyUpdateLoop = Rule(
    "history-update-loop",
    .history { UpdateCounts($0) })
}

/// How often each object was updated at all: few are updated often enough to be in a loop.
private final class UpdateCounts: HistoryObserver {
  let interest: HistoryInterest = .updates
  private let examination: Examination
  private let counts = ObjectNibbles()
  /// Updates that an object in a loop has at least; not more than can be counted.
  private let least: UInt8
  private var isReached = false

  init(_ examination: Examination) {
    self.examination = examination
    // A switch needs an update before it.
    let needed = min(
      examination.setting("updates", of: Rule.historyUpdateLoop.header),
      examination.setting("turns", of: Rule.historyUpdateLoop.header) + 1)
    least = UInt8(min(max(1, needed.rounded(.up)), Double(ObjectNibbles.most)))
  }

  func visit(_ change: HistoryChange, as what: HistoryInterest, _ findings: inout FindingCollector) throws {
    guard let object = change.objectOfApp else { return }
    let count = try counts.update(object) { $0 < ObjectNibbles.most ? $0 + 1 : $0 }
    if count >= least { isReached = true }
  }

  func successor() -> (any HistoryObserver)? {
    isReached ? UpdateLoops(examination, counts, least: least) : nil
  }
}

/// The loops of objects that were updated often.
private final class UpdateLoops: HistoryObserver {
  /// 24 bytes, of which there may be many. Moments are whole seconds since 2001.
  private struct State: BitwiseCopyable {
    var start: UInt32 = 0
    var turnAt: UInt32 = 0
    var worstStart: UInt32 = 0
    var author: UInt16 = 0
    var count: UInt16 = 0
    var worstAuthor: UInt16 = 0
    var worst: UInt16 = 0
    var turns: UInt16 = 0
    var mostTurns: UInt8 = 0
    var side = Side.none

    mutating func addUpdate(at now: UInt32, by author: UInt16, within window: UInt32) {
      if count > 0, self.author == author, now >= start, now - start <= window {
        if count < .max { count += 1 }
      } else {
        start = now
        self.author = author
        count = 1
      }
      guard count > worst else { return }
      worst = count
      worstStart = start
      worstAuthor = author
    }

    mutating func addTurn(to side: Side, at now: UInt32, within pause: UInt32) {
      defer { turnAt = now }
      guard self.side != side else { return }
      let isTurn = self.side != .none && now >= turnAt && now - turnAt <= pause
      turns = !isTurn ? 0 : turns < .max ? turns + 1 : turns
      mostTurns = max(mostTurns, UInt8(clamping: turns))
      self.side = side
    }
  }

  private enum Side: UInt8, BitwiseCopyable {
    case none, app, importing
  }

  let interest: HistoryInterest = [.beginnings, .updates]
  private let examination: Examination
  private let updates: Double
  private let turns: Double
  private let window: UInt32
  private let pause: UInt32
  private let counts: ObjectNibbles
  private let least: UInt8
  private let states = SparseObjectMap(empty: State())
  private var authors = AuthorNumbers()
  private var programs = MirroringPrograms()
  private var side = Side.none
  private var author: UInt16 = 0
  private var now: UInt32?

  init(_ examination: Examination, _ counts: ObjectNibbles, least: UInt8) {
    (self.examination, self.counts, self.least) = (examination, counts, least)
    func setting(_ name: String) -> Double { examination.setting(name, of: Rule.historyUpdateLoop.header) }
    updates = setting("updates")
    turns = setting("turns")
    window = UInt32(clamping: Int64(clamping: setting("window")))
    pause = UInt32(clamping: Int64(clamping: setting("pause")))
  }

  private static func seconds(_ value: Double) -> UInt32? {
    value >= 0 && value < Double(UInt32.max) ? UInt32(value) : nil
  }

  func begin(_ transaction: HistoryTransaction) {
    side =
      switch transaction.origin {
      case .app: .app
      case .importing: .importing
      case .reset, .housekeeping: .none
      }
    programs.add(transaction)
    author = authors.number(of: transaction.author)
    now = side == .none ? nil : transaction.timestamp.flatMap { Self.seconds($0.seconds) }
  }

  func visit(_ change: HistoryChange, as what: HistoryInterest, _ findings: inout FindingCollector) throws {
    guard let now, let object = change.objectOfApp, try counts[object] >= least else {
      return
    }
    try states.update(object) { state in
      state.addUpdate(at: now, by: author, within: window)
      state.addTurn(to: side, at: now, within: pause)
    }
  }

  func finish(_ findings: inout FindingCollector) throws {
    try states.forEach { key, state in
      guard Double(state.worst) >= updates || Double(state.mostTurns) >= turns else { return }
      findings.add(
        object: examination.store.uri(key),
        [
          "entity": .text(examination.store.entityName(ofNumber: key.entity)), "pk": .integer(key.primaryKey),
          "updates": .count(Int(state.worst)), "window": .count(Int(window)),
          "author": .optional(authors.name(state.worstAuthor)),
          "from": .date(CoreDataDate(seconds: Double(state.worstStart))),
          "turns": .count(Int(state.mostTurns)),
          "how": .text(state.mostTurns > 0 ? ", import and app in turn" : ""),
        ], members: programs.members)
    }
  }
}

extension Rule {
  static let historyEmptyUpdate = Rule(
    "history-empty-update",
    .history { EmptyUpdates($0) })
}

private final class EmptyUpdates: HistoryObserver {
  private struct State: BitwiseCopyable {
    var count: UInt32 = 0
    var author: UInt16 = 0
  }

  let interest: HistoryInterest = [.beginnings, .emptyUpdates]
  private let store: CoreDataStore
  private let states = ObjectMap(empty: State())
  private var authors = AuthorNumbers()
  private var author: UInt16 = 0

  init(_ examination: Examination) { store = examination.store }

  func begin(_ transaction: HistoryTransaction) { author = authors.number(of: transaction.author) }

  func visit(_ change: HistoryChange, as what: HistoryInterest, _ findings: inout FindingCollector) throws {
    guard let object = change.objectOfApp else { return }
    try states.update(object) { state in
      if state.count < .max { state.count += 1 }
      state.author = author
    }
  }

  func finish(_ findings: inout FindingCollector) throws {
    try states.forEach { key, state in
      guard state.count > 0 else { return }
      findings.add(
        object: store.uri(key),
        [
          "entity": .text(store.entityName(ofNumber: key.entity)), "pk": .integer(key.primaryKey),
          "updates": .count(Int(state.count)), "lastAuthor": .optional(authors.name(state.author)),
        ])
    }
  }
}
