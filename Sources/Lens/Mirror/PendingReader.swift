package import Base
import SQLite
import StoreModel

/// Which pending changes are wanted; all conditions hold at once.
package struct PendingFilter: Sendable, Equatable {
  /// Any of these kinds; all where there are none.
  package var kinds: Set<PendingItem.Kind> = []
  /// Names of entities.
  package var entities: Set<String>?
  /// Saved by any of these authors, first or later; all where there are none.
  package var authors: Set<String> = []
  /// Only what was saved without an author, first or later.
  package var hasNoAuthor = false

  package init() {}

  package var isEmpty: Bool { self == PendingFilter() }

  /// Whether an author is asked for, or none.
  package var asksWho: Bool { hasNoAuthor || !authors.isEmpty }

  /// The changes that show who saved an object again; nil if nobody is asked for.
  var saves: HistoryFilter? {
    guard asksWho else { return nil }
    var saves = HistoryFilter()
    saves.hasNoAuthor = hasNoAuthor
    if !authors.isEmpty { saves.origins[.author] = authors.sorted() }
    return saves
  }

  /// - Parameter item: with its later save, if one of the authors asked for made it.
  func includes(_ item: PendingItem) -> Bool {
    guard kinds.isEmpty || kinds.contains(item.kind) else { return false }
    if let entities, !(item.entity.map(entities.contains) ?? false) { return false }
    if item.laterSave != nil { return true }
    if hasNoAuthor { return item.since != nil && item.author == nil }
    return authors.isEmpty || item.author.map(authors.contains) ?? false
  }
}

/// What is pending, counted and one by one, as the view `pending` has it.
package final class PendingReader {
  /// Of what passes the filter.
  package private(set) var counts: [PendingItem.Kind: Int]
  /// Of them those that an earlier export processed, and that the server probably has.
  package private(set) var repeated: Int
  private let mirror: Mirror
  /// Of one object; the one over everything is the mirror's, which replaces it by one with causes if they are asked for.
  private let ownPass: PendingPass?
  private let tracesCauses: Bool
  private let filter: PendingFilter
  /// Of each object the newest transaction of an author who is asked for.
  private let saves: ObjectMap<Int64>?

  /// Reads records, the history that matters, and the keys of all rows of mirrored entities, each once.
  /// - Parameters:
  ///   - tracesCauses: whether items say which transaction caused them; counts alone need less history.
  ///   - object: the one that is asked for: what is counted and reported is then of it alone.
  ///   - filter: what is counted and listed; needs another pass over what is pending.
  /// - Throws: `StoreScopeError` where what is known of objects has no room in memory, nor on disk.
  package init(
    _ mirror: Mirror, tracesCauses: Bool = true, of object: ObjectScope? = nil,
    filter: PendingFilter = PendingFilter()
  ) throws {
    self.mirror = mirror
    self.filter = filter
    self.tracesCauses = tracesCauses
    let pass = try mirror.pass(tracesCauses: tracesCauses, of: object)
    ownPass = object == nil ? nil : pass
    saves = try filter.saves.map { try mirror.newestAppChanges($0, of: object) }
    (counts, repeated) = try mirror.asking(pass) {
      var (counts, repeated) = try pass.counts()
      for kind in PendingItem.Kind.allCases where !kind.isRecord && kind.hasRow {
        // The view's other columns would only be compiled to be thrown away.
        let count =
          object == nil ? mirror.views.rows(of: kind)?.count : mirror.views.pending(kind, of: object)?.count()
        guard let count else { continue }
        counts[kind] = try mirror.store.connection.first(count) { Int($0.integer(0)) }
      }
      return (counts, repeated)
    }
    guard !filter.isEmpty else { return }
    var counts: [PendingItem.Kind: Int] = [:]
    var repeated = 0
    try forEach { item in
      counts[item.kind, default: 0] += 1
      if item.isRepeated { repeated += 1 }
      return true
    }
    (self.counts, self.repeated) = (counts, repeated)
  }

  /// An object that several programs changed is pending since the first of these changes, and its author is that one's.
  /// Links have an author of their own.
  private func findLaterSave(_ item: inout PendingItem) throws {
    guard let saves, item.kind.isRecord || item.kind == .unanalyzed, let first = item.transaction,
      let key = item.primaryKey, let entity = item.entity.flatMap({ mirror.store.schema[$0] })
    else { return }
    let newest = try saves[ObjectKey(entity: entity.number, primaryKey: key)]
    if newest > first { item.laterSave = try mirror.transactions?.transaction(newest) }
  }

  /// Whether any of them may be pending for longer than `oldest`, because history was purged.
  package func mayBeOlder() throws -> Bool { try dated().anyMayBeOlder() }

  /// What was counted without causes needn't be counted again with them.
  private func dated() throws -> PendingPass {
    if let ownPass, ownPass.tracesCauses { return ownPass }
    return try mirror.pass(tracesCauses: true, of: ownPass?.object)
  }

  private func pass() throws -> PendingPass { try ownPass ?? mirror.pass(tracesCauses: tracesCauses) }

  /// Since when the oldest of them is pending, and the transaction that caused it, as far as history dates it. What the
  /// server probably has is left out.
  package func oldest() throws -> (since: CoreDataDate, transaction: Int64?)? {
    let pass = try dated()
    var oldest: (since: CoreDataDate, transaction: Int64?)?
    func take(_ since: CoreDataDate?, _ transaction: Int64?) {
      if let since, oldest.map({ since < $0.since }) ?? true { oldest = (since, transaction) }
    }
    func take(_ transactions: ObjectMap<Bool>) throws {
      try transactions.forEach { key, isMember in
        guard isMember else { return }
        take(try mirror.transactions?.transaction(key.primaryKey)?.timestamp, key.primaryKey)
      }
    }
    try take(pass.flaggedBy())
    for kind in PendingItem.Kind.allCases where kind.hasRow && !kind.isRecord && counts[kind] ?? 0 > 0 {
      guard let view = mirror.views.pending(kind, of: pass.object), view.hasValues("since") else { continue }
      // A column next to MIN is of the row that has it: https://www.sqlite.org/lang_select.html#bareagg
      try mirror.store.connection.first(
        "SELECT MIN(since), \"transaction\" FROM (\(view.select(["since", "transaction"])))"
      ) { take($0.optionalReal(0).map(CoreDataDate.init(seconds:)), $0.optionalInteger(1)) }
    }
    try take(pass.touchedBy())
    return oldest
  }

  private enum Column: Int, ReadColumn {
    case entity, pk, uri, recordName, transaction, author, since, reason, zone, isDeletion, maySkip,
      isRepeated
    case mayBeOlder, reasonWithoutNames
  }

  /// Calls `body` for each pending change, kind by kind, until it returns false.
  package func forEach(_ body: (PendingItem) throws -> Bool) throws {
    let pass = try pass()
    try mirror.asking(pass) {
      for kind in PendingItem.Kind.allCases where counts[kind] ?? 0 > 0 {
        guard let view = mirror.views.pending(kind, of: pass.object) else { continue }
        // SQLite would word it twice.
        let namesNobody = view.areSame("reason", "reasonWithoutNames")
        let columns = Array(Column.names.dropLast(namesNobody ? 1 : 0))
        // The others come in the order of their entities and keys.
        let statement = try mirror.store.connection.prepare(
          kind.hasRow ? view.select(columns + ["row"], "ORDER BY \"row\"") : view.select(columns))
        while try statement.step() {
          let reason = statement.text(Column.reason)
          var item = PendingItem(
            kind: kind, entity: statement.optionalName(Column.entity),
            primaryKey: statement.optionalInteger(Column.pk), uri: statement.optionalText(Column.uri),
            recordName: statement.optionalText(Column.recordName), zone: statement.optionalName(Column.zone),
            transaction: statement.optionalInteger(Column.transaction),
            author: statement.optionalName(Column.author), since: statement.date(Column.since),
            reason: reason,
            reasonWithoutNames: namesNobody ? reason : statement.text(Column.reasonWithoutNames),
            isDeletion: statement.flag(Column.isDeletion), maySkip: statement.flag(Column.maySkip),
            isRepeated: statement.flag(Column.isRepeated), mayBeOlder: statement.flag(Column.mayBeOlder))
          try findLaterSave(&item)
          guard filter.includes(item) else { continue }
          guard try body(item) else { return }
        }
      }
    }
  }
}

extension Mirror {
  /// - Returns: the number of the newest transaction by object.
  fileprivate func newestAppChanges(_ filter: HistoryFilter, of object: ObjectScope?) throws
    -> ObjectMap<Int64>
  {
    let newest = ObjectMap<Int64>(empty: 0)
    var filter = filter
    (filter.entities, filter.primaryKey) = (object?.entities, object?.primaryKey)
    try history?.forEachChange(filter, reading: []) { cursor, transaction in
      if let transaction, transaction.origin == .app, let object = cursor.change.objectOfApp {
        try newest.set(object, transaction.number)
      }
      return true
    }
    return newest
  }
}
