import Base
import Explanations
package import Lens
import SQLite
import StoreModel

/// Works out how sync was switched. Rules:
///
/// - With mirroring on, every launch logs a setup and every save an export soon after, even one that fails. So where
///   the app saved more than ten minutes after one event, more than ten minutes before the next, and those lie more
///   than an hour apart, the mirror logged nothing: it was switched off, another process without it wrote, or the app
///   was ended before it could. An app without network still logs failing events.
/// - After the last event the same takes a later transaction: a store that was copied right after a save says nothing
///   of what came next.
/// - Before the first event nothing is known: the log is cut to the newest ten thousand.
/// - Transactions of the author `.reset` that delete are wipes; app authors report them after account changes, expired
///   tokens and zones deleted by the user. Transactions less than ten minutes apart are one burst.
/// - Imports count as large from fifty inserts on.
package struct SyncSwitchesReader {
  private static let nearness = HistoryBurst.pause
  private static let smallestGap = 3600.0

  private let mirror: Mirror

  package init(_ mirror: Mirror) { self.mirror = mirror }

  /// Reads all events and transactions once.
  package func read() throws -> SyncSwitches {
    var switches = SyncSwitches()
    let timeline = try EventTimeline(EventReader(mirror))
    switches.accountFailures = timeline.accountFailures
    if let transactions = try mirror.transactions {
      var gaps: [Int: SyncGap] = [:]
      var wipes = HistoryBursts()
      var imports = HistoryBursts()
      let history = try HistoryReader(mirror.store)
      func add(_ transaction: HistoryTransaction, to bursts: inout HistoryBursts) throws -> HistoryBurst? {
        let did = try history?.changes(ofTransaction: transaction.number)
        return bursts.add(transaction, did?.counts ?? ChangeCounts(), changes: did?.all ?? 0)
      }
      try transactions.forEach { transaction in
        switch transaction.origin {
        case .app: addSave(transaction, to: &gaps, timeline)
        case .reset: switches.addWipe(try add(transaction, to: &wipes))
        case .importing: switches.addImport(try add(transaction, to: &imports))
        case .housekeeping: break
        }
      }
      if let open = gaps[timeline.moments.count], try !isObserved(open, transactions) {
        gaps[timeline.moments.count] = nil
      }
      switches.gaps = gaps.sorted { $0.key < $1.key }.map(\.value)
      switches.addWipe(wipes.current)
      switches.addImport(imports.current)
      try addUnexported(transactions, to: &switches)
    }
    switches.toggles = SyncToggle.all(switches, timeline)
    switches.sentences = try SwitchSentences.all(switches, mirror)
    return switches
  }

  private func addSave(
    _ transaction: HistoryTransaction, to gaps: inout [Int: SyncGap], _ timeline: EventTimeline
  ) {
    guard let at = transaction.timestamp, !timeline.moments.isEmpty else { return }
    let index = timeline.index(of: at)
    // Before the first event the log may have been cut.
    guard index > 0 else { return }
    let before = timeline.moments[index - 1]
    let after = index < timeline.moments.count ? timeline.moments[index] : nil
    guard at.seconds - before.seconds > Self.nearness else { return }
    if let after {
      guard after.seconds - at.seconds > Self.nearness, after.seconds - before.seconds > Self.smallestGap
      else { return }
    }
    var gap =
      gaps[index] ?? SyncGap(from: before, until: after, firstSave: at, lastSave: at, saves: 0)
    gap.firstSave = min(gap.firstSave, at)
    gap.lastSave = max(gap.lastSave, at)
    gap.saves += 1
    gaps[index] = gap
  }

  /// Whether something was written long enough after the gap's first save for the mirror to have logged it.
  private func isObserved(_ gap: SyncGap, _ transactions: TransactionReader) throws -> Bool {
    guard let newest = try transactions.newestTime(), let from = gap.from else { return false }
    return newest.seconds - gap.firstSave.seconds > Self.nearness
      && newest.seconds - from.seconds > Self.smallestGap
  }

  private func addUnexported(_ transactions: TransactionReader, to switches: inout SyncSwitches) throws {
    let token = try mirror.token.analyzedUpTo
    func save(_ transaction: HistoryTransaction) -> SyncSwitches.Save {
      .init(transaction: transaction.number, author: transaction.author, at: transaction.timestamp)
    }
    switches.firstUnexported = try transactions.firstAppTransaction(after: token).map(save)
    switches.lastUnexported = try transactions.lastAppTransaction(after: token).map(save)
    switches.unexportedSaves = try transactions.appTransactions(after: token)
  }
}

extension SyncSwitches {
  private static let largeImport = 50
  /// For made-up histories.
  private static let limit = 10_000

  fileprivate mutating func addWipe(_ burst: HistoryBurst?) {
    guard let burst, burst.deletes > 0, wipes.count < Self.limit else { return }
    wipes.append(burst)
  }

  fileprivate mutating func addImport(_ burst: HistoryBurst?) {
    guard let burst, burst.inserts >= Self.largeImport, imports.count < Self.limit else { return }
    imports.append(burst)
  }
}

/// When the mirror ran, for a look at the time between.
struct EventTimeline {
  /// Starts of all events, sorted.
  private(set) var moments: [CoreDataDate] = []
  private(set) var accountFailures: [MirrorEvent] = []
  /// Events that say another instance of the store is syncing.
  private(set) var secondInstances = 0
  /// Setups that began while another one ran.
  private(set) var overlappingSetups = 0

  /// The framework keeps up to twenty thousand; the limit is for made-up logs.
  private static let limit = 200_000
  private static let shownFailures = 100
  private static let account: [Explanation.Concern?] = [.account, .restriction, .encryptionKeys]

  init(_ reader: EventReader) throws {
    var runningSetup: MirrorEvent?
    try reader.forEach { event in
      if let moment = event.moment { moments.append(moment) }
      if event.hasFailed {
        if Self.account.contains(event.concern), accountFailures.count < Self.shownFailures {
          accountFailures.append(event)
        }
        if event.concern == .secondInstance { secondInstances += 1 }
      }
      if event.kind == .setup {
        if let ended = runningSetup?.ended, let started = event.started, started < ended {
          overlappingSetups += 1
        }
        runningSetup = event
      }
      return moments.count < Self.limit
    }
    moments.sort()
  }

  /// How many events began before that moment.
  func index(of moment: CoreDataDate) -> Int {
    var low = 0
    var high = moments.count
    while low < high {
      let middle = (low + high) / 2
      if moments[middle] < moment { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
