import SQLite
import StoreModel
import Values

/// Works out how sync was switched. Rules:
///
/// - With mirroring on, every launch logs a setup and every save an export soon after, even one that fails. So where
///   the app saved more than ten minutes after one event, more than ten minutes before the next, and those lie more
///   than an hour apart, the mirror logged nothing: it was switched off, another process without it wrote, or the app
///   was ended before it could. An app without network still logs failing events.
/// - After the last event the same takes a later transaction: a store that was copied right after a save says nothing
///   of what came next.
/// - Before the first event nothing can be told: the log is cut to the newest ten thousand.
/// - Transactions of the author `.reset` that delete are wipes; app authors report them after account changes, expired
///   tokens and zones deleted by the user. Transactions less than ten minutes apart are one burst.
/// - Imports count as large from fifty inserts on.
package struct SyncSwitchesReader {
  private static let nearness = 600.0
  private static let smallestGap = 3600.0
  private static let largeImport = 50

  private let mirror: Mirror

  package init(_ mirror: Mirror) { self.mirror = mirror }

  /// Reads all events and transactions once.
  package func read() throws -> SyncSwitches {
    var switches = SyncSwitches()
    let timeline = try EventTimeline(EventReader(mirror))
    switches.accountFailures = timeline.accountFailures
    if let origins = mirror.origins {
      var gaps: [Int: SyncGap] = [:]
      var wipes = BurstCollector(apartSeconds: Self.nearness)
      var imports = BurstCollector(apartSeconds: Self.nearness)
      let size = try TransactionSize(mirror)
      try origins.forEach { transaction in
        switch transaction.origin {
        case .app: addSave(transaction, to: &gaps, timeline)
        case .reset: wipes.add(transaction, try size.count(transaction.number))
        case .importing: imports.add(transaction, try size.count(transaction.number))
        case .housekeeping: break
        }
      }
      if let open = gaps[timeline.moments.count], try !isObserved(open, origins) {
        gaps[timeline.moments.count] = nil
      }
      switches.gaps = gaps.sorted { $0.key < $1.key }.map(\.value)
      switches.wipes = wipes.bursts.filter { $0.deletes > 0 }
      switches.imports = imports.bursts.filter { $0.inserts >= Self.largeImport }
      try addUnexported(origins, to: &switches)
    }
    switches.toggles = SyncToggles(switches, timeline).all
    switches.sentences = SwitchSentences(switches, mirror).all
    return switches
  }

  private func addSave(
    _ transaction: TransactionOrigins.Transaction, to gaps: inout [Int: SyncGap], _ timeline: EventTimeline
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
      else {
        return
      }
    }
    var gap =
      gaps[index] ?? SyncGap(from: before, until: after, firstSave: at, lastSave: at, saves: 0)
    gap.firstSave = min(gap.firstSave, at)
    gap.lastSave = max(gap.lastSave, at)
    gap.saves += 1
    gaps[index] = gap
  }

  /// Whether something was written long enough after the gap's first save for the mirror to have logged it.
  private func isObserved(_ gap: SyncGap, _ origins: TransactionOrigins) throws -> Bool {
    guard let newest = try origins.newestTime(), let from = gap.from else { return false }
    return newest.seconds - gap.firstSave.seconds > Self.nearness
      && newest.seconds - from.seconds > Self.smallestGap
  }

  private func addUnexported(_ origins: TransactionOrigins, to switches: inout SyncSwitches) throws {
    let token = mirror.token.analysedUpTo
    func save(_ transaction: TransactionOrigins.Transaction) -> SyncSwitches.Save {
      .init(transaction: transaction.number, author: transaction.author, at: transaction.timestamp)
    }
    switches.firstUnexported = try origins.firstAppTransaction(after: token).map(save)
    switches.lastUnexported = try origins.lastAppTransaction(after: token).map(save)
    switches.unexportedSaves = try origins.appTransactions(after: token)
  }
}

/// Puts transactions that follow each other closely together.
private struct BurstCollector {
  let apartSeconds: Double
  private(set) var bursts: [HistoryBurst] = []
  private static let limit = 10_000

  init(apartSeconds: Double) { self.apartSeconds = apartSeconds }

  mutating func add(_ transaction: TransactionOrigins.Transaction, _ size: TransactionSize.Count) {
    if var last = bursts.last, isNear(last.until, transaction.timestamp) || bursts.count >= Self.limit {
      last.lastTransaction = transaction.number
      last.until = transaction.timestamp ?? last.until
      last.transactions += 1
      last.inserts += size.inserts
      last.deletes += size.deletes
      last.changes += size.changes
      bursts[bursts.count - 1] = last
    } else {
      bursts.append(
        HistoryBurst(
          firstTransaction: transaction.number, lastTransaction: transaction.number,
          from: transaction.timestamp,
          until: transaction.timestamp, transactions: 1, inserts: size.inserts, deletes: size.deletes,
          changes: size.changes))
    }
  }

  private func isNear(_ one: CoreDataDate?, _ other: CoreDataDate?) -> Bool {
    guard let one, let other else { return false }
    return abs(other.seconds - one.seconds) <= apartSeconds
  }
}

/// Counts the changes of one transaction.
private struct TransactionSize {
  struct Count {
    var inserts = 0
    var deletes = 0
    var changes = 0
  }

  private let statement: Statement?

  init(_ mirror: Mirror) throws {
    let hasColumns = ["ZTRANSACTIONID", "ZCHANGETYPE"].allSatisfy { mirror.tables.has(.changes, $0) }
    statement =
      hasColumns
      ? try mirror.store.connection.prepare(
        """
        SELECT TOTAL(ZCHANGETYPE = 0), TOTAL(ZCHANGETYPE = 2), COUNT(*) FROM main.ACHANGE
        WHERE ZTRANSACTIONID = ?
        """) : nil
  }

  func count(_ transaction: Int64) throws -> Count {
    guard let statement else { return Count() }
    try statement.bind(.integer(transaction), at: 1)
    defer { statement.reset() }
    guard try statement.step() else { return Count() }
    return Count(
      inserts: Int(statement.integer(0)), deletes: Int(statement.integer(1)),
      changes: Int(statement.integer(2)))
  }
}
