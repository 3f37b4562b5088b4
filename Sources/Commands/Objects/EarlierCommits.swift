import Diagnostics
import Evidence
import Lens
import StoreModel
import SystemCalls
import Values

/// The states of a store that its WAL keeps, to be read once the newest one was: see `OpenFile`.
struct EarlierCommits {
  private let session: Session
  private let count: Int
  private let progress: Progress

  /// Nil if the WAL has none, or if an earlier state is read already.
  init?(_ session: Session, _ progress: Progress) throws {
    guard session.asOfCommit == nil, let wal = try session.opened().walIndex(), !wal.commits.isEmpty else {
      return nil
    }
    (self.session, count, self.progress) = (session, wal.commits.count, progress)
  }

  /// How many commits ago a deleted object was in the store for the last time; nil if that isn't known.
  /// - Parameter transaction: the one that deleted it; nil where history doesn't have it.
  func last(with object: ObjectKey, before transaction: Int64?) throws -> Int? {
    guard let ago = try newest(before: transaction),
      try read(ago, { try TraceReader($0).exists(object) }) == true
    else { return nil }
    return ago
  }

  /// An object's properties before a transaction that the WAL has; nil if they aren't known.
  func properties(of object: ObjectReference, before transaction: Int64) throws -> ObjectProperties? {
    guard let ago = try newest(before: transaction) else { return nil }
    return try read(ago) { try ObjectProperties(object, in: $0.store) } ?? nil
  }

  /// How many commits ago the transaction wasn't there yet; nil where only the newest state can be read.
  private func newest(before transaction: Int64?) throws -> Int? {
    try session.finish()
    // Transactions have ascending numbers, and keys are used once.
    guard let transaction, count > 0 else { return nil }
    var (low, high) = (1, count + 1)
    while low < high {
      let middle = (low + high) / 2
      guard let newest = try read(middle, { try HistoryReader($0.store)?.transactions.newestTransaction() })
      else {
        high = middle
        continue
      }
      (low, high) = (newest ?? 0) < transaction ? (low, middle) : (middle + 1, high)
    }
    return low <= count ? low : nil
  }

  /// Nil for a state that can't be read, which a checkpoint may have overwritten in part; older ones can't either.
  private func read<R>(_ commitsAgo: Int, _ body: (OpenStore) throws -> R) throws -> R? {
    progress.phase("reading earlier commits")
    let state = Session(session.source, asOfCommit: commitsAgo, goesOn: { !Interruption.isRequested })
    do {
      let result = try body(state.open())
      try state.finish()
      return result
    } catch {
      try Interruption.check()
      return nil
    }
  }
}
