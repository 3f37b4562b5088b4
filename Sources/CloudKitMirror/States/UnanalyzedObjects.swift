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

  private(set) var entries = ObjectMap(empty: Entry())
  private(set) var isEmpty = true

  mutating func add(_ change: ScannedChange) throws {
    let key = ObjectKey(entity: change.entity, primaryKey: change.primaryKey)
    switch (change.origin, change.kind) {
    case (.app, .some(let kind)):
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
