import StoreModel

/// Objects that the app touched in transactions which the exporter hasn't analysed yet: those above the last-history
/// token, or all of history where there is no usable token.
///
/// What happens to an object is summed up as app authors report the exporter does: transactions of the mirror itself
/// don't count; an insert followed by a delete leaves nothing to send; a delete that came with an import or a reset
/// cancels what was there before it.
struct UnanalyzedObjects {
  enum Outcome: UInt8, Sendable {
    case nothing, inserted, updated, deleted
  }

  struct Entry: Sendable {
    var outcome = Outcome.nothing
    /// The first transaction that counts.
    var since: Int64 = 0
  }

  /// What imports and resets did counts as well.
  private let countsFramework: Bool
  private(set) var entries = ObjectMap(empty: Entry())
  private(set) var isEmpty = true

  init(countsFramework: Bool = false) { self.countsFramework = countsFramework }

  /// What an analysis found that died before its export flagged the record; the next export goes on from there.
  mutating func add(
    _ key: ObjectKey, original: HistoryReader.ChangeKind?, final: HistoryReader.ChangeKind?, since: Int64
  ) throws {
    guard let final else { return }
    isEmpty = false
    try entries.update(key) { entry in
      entry.outcome = final == .delete ? .deleted : original == .insert ? .inserted : .updated
      entry.since = since
    }
  }

  mutating func add(_ change: ScannedChange) throws {
    let key = ObjectKey(entity: change.entity, primaryKey: change.primaryKey)
    switch (change.origin, change.kind) {
    case (.app, .some(let kind)), (.importing, .some(let kind)) where countsFramework,
      (.reset, .some(let kind)) where countsFramework:
      isEmpty = false
      try entries.update(key) { entry in
        switch (kind, entry.outcome) {
        case (.delete, .inserted): entry = Entry()
        case (.delete, _): entry.outcome = .deleted
        // A key that was deleted isn't handed out again; should it be, the object is a new one.
        case (.insert, .deleted): entry.outcome = .updated
        case (.insert, _): entry.outcome = .inserted
        case (.update, .nothing): entry.outcome = .updated
        case (.update, _): break
        }
        if entry.outcome != .nothing, entry.since == 0 { entry.since = change.transaction }
      }
    case (.importing, .delete), (.reset, .delete):
      if entries[key].outcome != .nothing { try entries.update(key) { $0 = Entry() } }
    default: break
    }
  }

  subscript(key: ObjectKey) -> Entry { entries[key] }
}
