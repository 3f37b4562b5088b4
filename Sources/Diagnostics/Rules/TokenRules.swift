import Archives
import Base
import Lens
import SQLite
import StoreModel

extension Rule {
  static let tokenMissing = Rule(
    "token-missing"
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
    "token-expired"
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
    "token-foreign-store"
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
    "token-near-prune-edge"
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
