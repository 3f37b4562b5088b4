import Base
import SQLite
import StoreModel

/// What no table says of things that aren't sent yet, read in one pass over records, history and rows each: which
/// objects history names, which rows have no record, and which change flagged a record.
///
/// A pass as SQL can't go through it: what happens to an object is summed up change by change, and a million objects
/// are compared with a million records by a map of a byte each.
final class PendingPass {
  /// Nil for all objects.
  let object: ObjectScope?
  let tracesCauses: Bool
  private let entities: MirroredEntities
  private let flagged: FlaggedRecords
  let unanalyzed: UnanalyzedObjects
  private let store: CoreDataStore
  private let hasRecords: Bool
  private let analyzedUpTo: Int64
  private let startsOver: Bool
  private let nextExportScans: Bool
  private let purgedBelow: Int64?
  private let otherReaders: () throws -> [CoreDataStore]
  private var knownRows: Rows?

  /// - Parameter tracesCauses: whether `cause` is asked later; if not, less history is read.
  /// - Throws: `StoreScopeError` where what is known of objects has no room in memory, nor on disk.
  init(_ mirror: Mirror, tracesCauses: Bool, of object: ObjectScope?) throws {
    self.object = object
    self.tracesCauses = tracesCauses
    (store, otherReaders) = (mirror.store, mirror.otherReaders)
    hasRecords = mirror.tables.has(.records)
    let analyzedUpTo = try mirror.token.analyzedUpTo
    self.analyzedUpTo = analyzedUpTo
    startsOver = try mirror.token.startsOver
    nextExportScans = try mirror.nextExportScans
    purgedBelow = try mirror.historyPurgedBelow
    entities = try mirror.mirroredEntities()
    var known = Known(
      flagged: try FlaggedRecords(mirror, tracesCauses: tracesCauses, of: object),
      unanalyzed: try UnanalyzedObjects(mirror, of: object), analyzedUpTo: analyzedUpTo,
      tracesCauses: tracesCauses)
    let oldest = known.flagged.oldestExport ?? analyzedUpTo
    let start = tracesCauses ? min(analyzedUpTo, oldest) : analyzedUpTo
    if let history = try mirror.history {
      if object == nil, let changes = try history.appChanges(after: start, mirror.otherReaders) {
        try changes.forEach { try known.add($0) }
      } else {
        try history.forEachAppChange(after: start, of: object) { try known.add($0) }
      }
    }
    (flagged, unanalyzed) = (known.flagged, known.unanalyzed)
  }

  /// What the changes of history are added to.
  private struct Known {
    var flagged: FlaggedRecords
    var unanalyzed: UnanalyzedObjects
    let analyzedUpTo: Int64
    let tracesCauses: Bool

    mutating func add(_ change: AppChange) throws {
      if change.transaction > analyzedUpTo { try unanalyzed.add(change) }
      if tracesCauses { try flagged.add(change) }
    }
  }

  /// How many there are of the kinds that the pass itself knows: what the view `pending` would count, without making rows.
  /// - Returns: and how many of them an earlier export processed.
  func counts() throws -> (counts: [PendingItem.Kind: Int], repeated: Int) {
    var counts = flagged.counts
    var (unanalyzed, repeated) = (0, 0)
    try self.unanalyzed.entries.forEach { key, entry in
      let marks = try flagged.marks[key]
      guard isWaiting(key, entry, marks) else { return }
      unanalyzed += 1
      if try isRepeated(key, entry, marks) { repeated += 1 }
    }
    counts[.unanalyzed] = unanalyzed
    if hasRecords { counts[.unregistered] = try rows().unregistered }
    return (counts, repeated)
  }

  /// Rows of mirrored entities, and what there is of their records.
  struct Rows {
    var withRecord = 0
    var withoutRecord = 0
    /// Of those without a record the ones that unprocessed history doesn't insert.
    let unexplained = ObjectMap(empty: Explanation.notNeeded)
    /// The lowest and the highest key of them, whatever the entity.
    fileprivate(set) var keys: ClosedRange<Int64>?
    /// Of those without a record the ones to which no unprocessed history leads.
    fileprivate(set) var unregistered = 0

    enum Explanation: UInt8, BitwiseCopyable {
      case notNeeded, none, changed
    }
  }

  /// Reads the keys of all rows once, and then remembers what it found.
  func rows() throws -> Rows {
    if let knownRows { return knownRows }
    var rows = Rows()
    guard hasRecords else { return rows }
    try entities.forEachRow(of: object, in: store, otherReaders) { key in
      guard try !flagged.marks[key].contains(.registered) else {
        rows.withRecord += 1
        return
      }
      rows.withoutRecord += 1
      let outcome = try unanalyzed[key].outcome
      // What is new since the last export had no record before, unless all of history is taken for new.
      guard outcome != .inserted || startsOver else { return }
      if outcome == .nothing { rows.unregistered += 1 }
      try rows.unexplained.set(key, outcome == .nothing ? .none : .changed)
      let known = rows.keys ?? key.primaryKey...key.primaryKey
      rows.keys = min(known.lowerBound, key.primaryKey)...max(known.upperBound, key.primaryKey)
    }
    knownRows = rows
    return rows
  }

  /// The transaction that flagged the object's record; 0 where none is known.
  func cause(_ key: ObjectKey) throws -> Int64 { try flagged.causes[key].transaction }

  /// Whether purged history may have flagged the object's record before all that is left of it.
  func mayBeOlder(_ key: ObjectKey) throws -> Bool {
    try mayBeOlder(flagged.causes[key])
  }

  private func mayBeOlder(_ cause: FlaggedRecords.Cause) -> Bool {
    !cause.isFirst && wasPurged(after: cause.after)
  }

  /// Whether transactions above that number are gone.
  private func wasPurged(after number: Int64) -> Bool { purgedBelow.map { number < $0 - 1 } ?? false }

  /// Whether any of what is pending may be so for longer than history shows.
  func anyMayBeOlder() throws -> Bool {
    guard purgedBelow != nil else { return false }
    return try flagged.causes.contains { key, cause in
      try flagged.marks[key].contains(.flagged) && mayBeOlder(cause)
    }
      || unanalyzed.entries.contains { key, entry in
        let marks = try flagged.marks[key]
        return try isWaiting(key, entry, marks) && !isRepeated(key, entry, marks) && mayBeOlder(entry, marks)
      }
  }

  private func mayBeOlder(_ entry: UnanalyzedObjects.Entry, _ marks: FlaggedRecords.Marks) -> Bool {
    // What the server has isn't pending since before the last export.
    let after = startsOver && marks.contains(.acknowledged) ? unanalyzed.exportedUpTo : analyzedUpTo
    // Of an insertion and a deletion, history has the moment itself.
    return entry.outcome == .updated && wasPurged(after: after)
  }

  /// Whether any record that was exported before is flagged although nothing changed since: the server has it already.
  func anyIsFlaggedAgain() throws -> Bool {
    try flagged.causes.contains { key, cause in
      try flagged.marks[key].contains(.flagged) && cause.after > 0 && cause.transaction == 0
        && !wasPurged(after: cause.after)
    }
  }

  /// The transactions that flagged records, as far as they are known, as keys: there may be very many.
  func flaggedBy() throws -> ObjectMap<Bool> {
    let transactions = ObjectMap(empty: false)
    try flagged.causes.forEach { _, cause in
      if cause.transaction != 0 { try transactions.set(ObjectKey(number: cause.transaction), true) }
    }
    return transactions
  }

  /// The transactions since which the objects that history names are pending, without those that the server has.
  func touchedBy() throws -> ObjectMap<Bool> {
    let transactions = ObjectMap(empty: false)
    try unanalyzed.entries.forEach { key, entry in
      let marks = try flagged.marks[key]
      if try isWaiting(key, entry, marks) && !isRepeated(key, entry, marks) {
        try transactions.set(ObjectKey(number: since(key, entry, marks)), true)
      }
    }
    return transactions
  }

  /// Objects that history names: entity number, key, what happened to it, since which transaction, whether it has a
  /// record, whether that is in history, whether an export starts over to find it, whether it may skip it, whether it
  /// was processed by an earlier export, and whether it may be pending for longer.
  func unanalyzedRows() throws -> () throws -> [SQLiteValue]? {
    var objects = try unanalyzed.entries.makeIterator()
    return { [self] in
      while let (key, entry) = try objects.next() {
        let marks = try flagged.marks[key]
        guard isWaiting(key, entry, marks) else { continue }
        let since = try since(key, entry, marks)
        let what =
          switch entry.outcome {
          case .inserted where since != entry.since: "changed"
          case .inserted: "inserted"
          case .deleted: "deleted"
          case .updated, .nothing: "changed"
          }
        return [
          .integer(key.entity), .integer(key.primaryKey), .text(what), .integer(since),
          .integer(marks.contains(.registered) ? 1 : 0), .integer(entry.since > analyzedUpTo ? 1 : 0),
          .integer(startsOver && entry.since > analyzedUpTo ? 1 : 0), .integer(entry.maySkip ? 1 : 0),
          .integer(try isRepeated(key, entry, marks) ? 1 : 0), .integer(mayBeOlder(entry, marks) ? 1 : 0),
        ]
      }
      return nil
    }
  }

  /// Whether an object that was touched and not yet processed will be sent, and isn't flagged already. A deleted object
  /// that never had a record has nothing on the server to delete.
  private func isWaiting(
    _ key: ObjectKey, _ entry: UnanalyzedObjects.Entry, _ marks: FlaggedRecords.Marks
  ) -> Bool {
    guard entry.outcome != .nothing, !marks.contains(.flagged), entities.countsChanges(of: key.entity) else {
      return false
    }
    return entry.outcome != .deleted || marks.contains(.registered) || !hasRecords
  }

  /// Whether an object was saved after what the server has of it, although its record isn't flagged yet.
  func hasLaterChanges(_ key: ObjectKey) throws -> Bool {
    let (entry, marks) = (try unanalyzed[key], try flagged.marks[key])
    return try isWaiting(key, entry, marks) && !isRepeated(key, entry, marks)
  }

  /// Whether an export that starts over finds an object that an earlier one processed, and that the server answered for:
  /// all its changes are in history that was processed, and its record isn't flagged.
  private func isRepeated(
    _ key: ObjectKey, _ entry: UnanalyzedObjects.Entry, _ marks: FlaggedRecords.Marks
  ) throws -> Bool {
    try startsOver && entry.outcome != .deleted && marks.contains(.acknowledged) && unanalyzed.news[key] == 0
      && !entry.isLeftover
  }

  /// Since when an object is pending: what the server has of it isn't.
  private func since(
    _ key: ObjectKey, _ entry: UnanalyzedObjects.Entry, _ marks: FlaggedRecords.Marks
  ) throws -> Int64 {
    guard startsOver, marks.contains(.acknowledged) else { return entry.since }
    let news = try unanalyzed.news[key]
    return news != 0 ? news : entry.since
  }

  /// Rows of mirrored entities without a record, to which no unprocessed history leads: entity number,
  /// key, and whether the next export looks for such.
  func unregisteredRows() throws -> () throws -> [SQLiteValue]? {
    var objects = try rows().unexplained.makeIterator()
    return { [nextExportScans] in
      while let (key, explanation) = try objects.next() {
        guard explanation == .none else { continue }
        return [.integer(key.entity), .integer(key.primaryKey), .integer(nextExportScans ? 1 : 0)]
      }
      return nil
    }
  }
}

extension Mirror {
  /// Calls `body` for each object of a mirrored entity that has no record, and to which no history leads that the
  /// exporter hasn't processed yet, in the order of the keys.
  package func forEachUnregisteredObject(_ body: (ObjectKey) throws -> Void) throws {
    try pass(tracesCauses: false).rows().unexplained.forEach { key, explanation in
      if explanation == .none { try body(key) }
    }
  }
}
