import Base
import Explanations
import Lens
import SQLite
import StoreModel

/// What the mirror deleted in one go, and why.
struct MirrorWipe {
  let began: CoreDataDate?
  let deletes: Int
  /// The run whose failure the mirror answered with it, if the log has one from shortly before.
  let cause: MirrorEvent?

  init(began: CoreDataDate?, deletes: Int, in mirror: Mirror?) throws {
    (self.began, self.deletes) = (began, deletes)
    cause = try began.flatMap { began in try mirror.flatMap { try Self.cause(of: began, in: $0) } }
  }

  private static func cause(of began: CoreDataDate, in mirror: Mirror) throws -> MirrorEvent? {
    var cause: MirrorEvent?
    try EventReader(mirror).forEach(reversed: true) { event in
      guard let moment = event.moment, moment <= began else { return true }
      guard began.seconds - moment.seconds <= HistoryBurst.pause else { return false }
      cause = event.hasFailed && event.explanation?.wipe != nil ? event : nil
      return cause == nil
    }
    return cause
  }

  /// `, because the iCloud account changed (the setup failed with NSCocoaErrorDomain 134405)`; empty if it isn't known.
  var because: String {
    guard let cause, let wipe = cause.explanation?.wipe else { return "" }
    return ", because \(wipe) (the \(cause.typeName) failed with \(cause.errorText ?? "an error"))"
  }

  /// The last one of a store that has nothing but what a wipe has left: it looks as if it had never had any objects.
  /// - Returns: nil, too, if the pages that show it can't be read, which is reported elsewhere.
  static func thatEmptied(_ mirror: Mirror) throws -> MirrorWipe? {
    do { return try last(of: mirror) } catch let error as SQLiteError where !error.isInterrupt { return nil }
  }

  private static func last(of mirror: Mirror) throws -> MirrorWipe? {
    guard try mirror.store.isEmpty(), let history = try HistoryReader(mirror.store) else { return nil }
    var (began, deletes) = (CoreDataDate?.none, 0)
    try history.forEachChange(HistoryFilter(kinds: [.delete]), reversed: true, reading: []) {
      _, transaction in
      guard let transaction, transaction.origin == .reset, let time = transaction.timestamp,
        began.map({ $0.seconds - time.seconds <= HistoryBurst.pause }) ?? true
      else { return false }
      began = time
      deletes += 1
      return true
    }
    return deletes > 0 ? try MirrorWipe(began: began, deletes: deletes, in: mirror) : nil
  }

  /// A sentence.
  var sentence: String {
    let objects = deletes == 1 ? "the only object" : "all \(Sentence.number(deletes)) objects"
    return "The mirror deleted \(objects)\(began?.iso8601.map { " at \($0)" } ?? "")\(because)."
  }
}
