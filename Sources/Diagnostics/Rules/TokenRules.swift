import Archives
import Lens
import SQLite
import StoreModel
import Values

extension Rule {
  static let tokenMissing = Rule(
    """
    Rule: token-missing
    Severity: warning
    Title: History token missing
    Shows: Records that were exported, in a store that has no history token.
    Why: The token records how far the mirror has processed history. Without it the next export starts from the
      beginning and uploads everything again; it can't find changes that were pruned from history.
    Next launch: The first export processes all of history, scans for rows without a record, and again uploads
      everything the app ever touched, under the old names. Nothing is deleted or duplicated. A deletion that isn't
      exported yet may be skipped, if history has the object's insertion as well.
    Remedy: Nothing to do; after the next export, 'storescope records STORE --state orphan' lists deletions that were
      skipped. If history was pruned and may have contained pending changes, 'storescope resync STORE --push' uploads
      every object.
    Needs: ANSCKMETADATAENTRY, ANSCKRECORDMETADATA
    False positives: The framework itself removes the token when the server's zone is gone, and 'storescope resync
      STORE --rescan' removes it on purpose; the next export writes a new token. Stores that have only imported so far
      don't count.
    Evidence: App authors report it; the next export's behavior is inferred from their reports.
    Message: There is no history token, although {exportedRecords} of the records were exported: the next export
      processes all of history again.
    """
  ) { examination, findings in
    guard let mirror = examination.mirror, try mirror.token.state == .missing,
      let records = mirror.views.records
    else { return }
    let exported = try examination.store.connection.first(
      records.count(["lastExported"], "WHERE lastExported > 0")
    ) { $0.integer(0) }
    guard let exported, exported > 0 else { return }
    let bypassesHistory = try mirror.isSet(MetadataKey.bypassHistory)
    findings.add(
      subject: "token", ["exportedRecords": .integer(exported), "bypassesHistory": .bool(bypassesHistory)])
  }

  static let tokenExpired = Rule(
    """
    Rule: token-expired
    Severity: error
    Title: The history token's transaction is gone
    Shows: A history token whose transaction isn't in history: it was pruned, or is newer than all of history.
    Why: The mirror can continue only from exactly that transaction; a newer transaction doesn't work. Without it the
      framework treats its history as expired (NSCocoaErrorDomain 134301) and starts over, which deletes the local
      data.
    Next launch: The first export fails with 134301, every local object that has a record is deleted, and everything
      is fetched again. Pending changes of these objects are lost; objects without a record are kept, and uploaded
      later.
    Remedy: Before the app is launched again: 'storescope resync STORE --rescan' removes the token, so the mirror
      processes all of history instead. In the app, prune history only up to the transaction that the mirror has
      processed, and keep at least a week.
    Needs: ANSCKMETADATAENTRY
    False positives: None known while mirroring is on. An app that has turned mirroring off permanently isn't
      affected.
    Evidence: App authors report it. Documented by Apple:
      https://developer.apple.com/documentation/coredata/nspersistenthistorytokenexpirederror
    Message: The history token refers to transaction {transaction}, which {what}: the next launch deletes the local
      objects that have records and fetches everything again.
    """
  ) { examination, findings in
    guard let token = try examination.mirror?.token else { return }
    let what: String
    switch token.state {
    case .expired: what = "is gone from history"
    case .ahead: what = "is newer than all of history"
    case .unreadable: throw StoreScopeError.unreadable(token)
    case .current, .behind, .foreign, .missing: return
    }
    findings.add(
      subject: "token",
      [
        "transaction": .optional(token.transaction), "state": .text(token.state.rawValue),
        "what": .text(what),
      ])
  }
}

extension StoreScopeError {
  /// Why a token can't be evaluated.
  static func unreadable(_ token: HistoryTokenReading) -> StoreScopeError {
    let verb = token.token == nil ? "read" : "checked"
    return StoreScopeError(
      .unreadable, "The history token can't be \(verb): \(token.problem ?? "its archive is damaged")")
  }

  /// Why nothing is before or after a token that 'token-foreign-store' names.
  static let foreignToken = StoreScopeError(
    .foreign, "The history token is of another store, so nothing in this store is before or after it")
}

extension Rule {
  static let tokenForeignStore = Rule(
    """
    Rule: token-foreign-store
    Severity: error
    Title: History token of another store
    Shows: A history token without this store's identifier.
    Why: The mirror can't find its place in history, and the token is never renewed: every export fails with
      NSCocoaErrorDomain 134501, and pending changes pile up.
    Next launch: Every export fails with 134501. Nothing is deleted.
    Remedy: 'storescope resync STORE --rescan' removes the token, so the mirror processes all of history; or restore
      the store's old identifier, if a copy got a new one on purpose.
    Needs: ANSCKMETADATAENTRY
    False positives: None known. A store without an identifier isn't checked.
    Evidence: Inferred from the error's meaning and from app authors' reports about copied stores.
    Message: The history token belongs to {names}, not to this store, {store}: every export fails with
      NSCocoaErrorDomain 134501.
    """
  ) { examination, findings in
    guard let token = try examination.mirror?.token else { return }
    if token.state == .unreadable { throw StoreScopeError.unreadable(token) }
    guard token.state == .foreign else { return }
    let stores = token.token?.transactions.keys.sorted() ?? []
    findings.add(
      subject: "token",
      [
        "store": .text(examination.store.uuid), "tokenStores": .array(stores.prefix(100).map(DataValue.text)),
        "names": .text(stores.isEmpty ? "no store at all" : stores.prefix(3).joined(separator: ", ")),
      ])
  }

  static let tokenNearPruneEdge = Rule(
    """
    Rule: token-near-prune-edge
    Severity: warning
    Title: The next prune of history may expire the token
    Shows: Pruned history in which the history token's transaction is among the oldest that are left, while the app
      has saved since and the exporter hasn't processed those saves.
    Why: The app prunes history by age, and the exporter doesn't advance, for example because sync is turned off. Once
      the token's transaction is pruned, the framework treats its history as expired, deletes all mirrored objects and
      fetches everything again; pending changes of objects that have records are lost.
    Next launch: If the app prunes history before an export has processed it, that export ends with NSCocoaErrorDomain
      134301 and a wipe.
    Remedy: Let an export succeed before the app prunes again: 'storescope pending STORE' shows what blocks it. In the
      app, prune only history that the mirror has processed. In an emergency 'storescope resync STORE --rescan'
      removes the token.
    Needs: ANSCKMETADATAENTRY, ATRANSACTION
    Log: ATRANSACTION
    False positives: An app that pruned once and doesn't prune again, or that prunes only up to the token.
    Evidence: App authors report the wipe: https://github.com/fatbobman/PersistentHistoryTrackingKit/issues/7. That
      the next prune causes it is inferred.
    Message: The token's transaction {transaction} is {age} old and among the oldest that history still has: the next
      prune may expire it.
    Param share: part of the kept transactions that are older than the token's; a tenth is what one prune takes,
      default 0.1
    Param days: days from the token's transaction to the newest timestamp; exports run at least daily, and apps keep a
      week, default 3
    """
  ) { examination, findings in
    guard let mirror = examination.mirror, let transactions = try mirror.transactions else { return }
    let token = try mirror.token
    // Without anything of the app's behind it, the token moves before the next prune does.
    guard token.state == .behind, let number = token.transaction, let kept = try transactions.numbers(),
      kept.lowerBound > 1
    else { return }
    let all = try transactions.count()
    let older = try transactions.count(below: number)
    let share = Double(older) / Double(max(1, all))
    let date = try transactions.transaction(number)?.timestamp
    let days = date.map { examination.clock.days(since: $0) } ?? 0
    guard share <= examination.setting("share", of: findings.header),
      days >= examination.setting("days", of: findings.header)
    else { return }
    findings.add(
      subject: "token",
      [
        "transaction": .integer(number), "firstTransaction": .integer(kept.lowerBound),
        "lastTransaction": .integer(kept.upperBound), "olderTransactions": .count(older),
        "timestamp": .optional(date), "age": .text(Age(date, examination.clock).inDays),
      ])
  }
}
