import SQLite
import StoreModel

/// Objects that the app touched in transactions which the exporter hasn't processed yet: those above the history
/// token, or all of history where there is no usable token.
///
/// What happens to an object is summed up as app authors report the exporter does: transactions of the mirror itself
/// don't count; an insert followed by a delete leaves nothing to send; a delete that came with an import or a reset
/// cancels what was there before it. If the next export has to bypass that rule, imports and resets count as well.
/// What an export found that ended before it flagged any record is still in a table of its own, and comes first.
///
/// Without a token for this store, history begins with what earlier exports sent. There an insert and a delete don't
/// come to nothing: a record that is still here shows that the server never received the delete.
struct UnanalyzedObjects {
  enum Outcome: UInt8, Sendable, BitwiseCopyable {
    case nothing, inserted, updated, deleted
  }

  /// The number comes first: so it is 16 bytes in `SparseObjectMap`, of which there may be millions.
  struct Entry: Sendable, BitwiseCopyable {
    /// The first transaction that counts.
    var since: Int64 = 0
    var outcome = Outcome.nothing
    /// Of an export that ended before it flagged any record.
    var isLeftover = false
    /// Deleted, and inserted in the same part of history: an exporter that adds both up leaves the deletion out.
    var maySkip = false
  }

  /// What imports and resets did counts as well.
  private let bypassesRule: Bool
  private let startsOver: Bool
  /// Only known if an export starts over.
  let exportedUpTo: Int64
  let entries = SparseObjectMap(empty: Entry())
  /// Of each the first transaction that no export has processed, as far as records show that without a token; 0 if all
  /// were, and unless an export starts over.
  let news = SparseObjectMap(empty: Int64(0))
  private(set) var isEmpty = true

  /// Starts with what an earlier analysis left.
  /// - Parameter object: the one that is asked for; all of them where nil.
  init(_ mirror: Mirror, of object: ObjectScope? = nil) throws {
    bypassesRule = try mirror.isSet(MetadataKey.bypassHistory)
    startsOver = try mirror.token.startsOver && mirror.tables.has(.records)
    exportedUpTo = try startsOver ? mirror.exportedUpTo : 0
    let tables = mirror.tables
    guard tables.has(.analyzerStates) else { return }
    let columns = [
      "ZENTITYID", "ZENTITYPK", "ZORIGINALCHANGETYPENUM", "ZFINALCHANGETYPENUM", "ZORIGINALTRANSACTIONNUMBER",
    ].map { tables.sql(.analyzerStates, $0, "s") }
    let condition = object.map { " WHERE " + $0.condition(entity: columns[0], primaryKey: columns[1]) }
    try mirror.store.connection.forEachRow(
      """
      SELECT \(columns.joined(separator: ", ")) FROM main.ANSCKHISTORYANALYZERSTATE s\(condition ?? "")
      ORDER BY s.Z_PK
      """
    ) { row in
      guard !row.isNull(0), !row.isNull(1),
        let final = row.optionalInteger(3).flatMap(ChangeKind.init(rawValue:))
      else { return }
      let isNew = row.optionalInteger(2) == ChangeKind.insert.rawValue
      isEmpty = false
      try entries.update(ObjectKey(entity: row.integer(0), primaryKey: row.integer(1))) { entry in
        entry.outcome = final == .delete ? .deleted : isNew ? .inserted : .updated
        entry.since = row.integer(4)
        entry.isLeftover = true
      }
    }
  }

  /// What the app did after the last processed transaction.
  static func read(_ mirror: Mirror, of object: ObjectScope? = nil) throws -> UnanalyzedObjects {
    var objects = try UnanalyzedObjects(mirror, of: object)
    try mirror.history?.forEachAppChange(after: mirror.token.analyzedUpTo, of: object) { try objects.add($0) }
    return objects
  }

  mutating func add(_ change: AppChange) throws {
    let (key, transaction) = (change.object, change.transaction)
    let counts = change.origin == .app || (bypassesRule && change.origin != .housekeeping)
    switch (change.origin, change.kind) {
    case (_, .some(let kind)) where counts:
      isEmpty = false
      var begins = false
      try entries.update(key) { entry in
        begins = kind == .insert || (kind == .delete && entry.outcome == .inserted)
        switch (kind, entry.outcome) {
        case (.delete, .inserted):
          entry = startsOver ? Entry(since: transaction, outcome: .deleted, maySkip: true) : Entry()
        case (.delete, _): entry.outcome = .deleted
        // Where history is read again from its beginning, an insert begins what an earlier analysis knew the end of.
        case (.insert, _): entry = Entry(outcome: .inserted)
        case (.update, .nothing): entry.outcome = .updated
        case (.update, _): break
        }
        if entry.outcome != .nothing, entry.since == 0 { entry.since = transaction }
      }
      guard try startsOver && (begins || news[key] == 0) else { return }
      if begins || transaction > exportedUpTo {
        try news.update(key) { $0 = transaction > exportedUpTo ? transaction : 0 }
      }
    case (.importing, .delete), (.reset, .delete):
      if try entries[key].outcome != .nothing { try entries.update(key) { $0 = Entry() } }
      if try startsOver && news[key] != 0 { try news.update(key) { $0 = 0 } }
    default: break
    }
  }

  subscript(key: ObjectKey) -> Entry {
    get throws { try entries[key] }
  }
}
