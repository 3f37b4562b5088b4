import Base
import Lens
import SQLite
import StoreModel

extension Operation {
  static let raiseMax = Operation(
    "repair raise-max", summary: "raise Z_MAX to the highest key in use", risk: .low,
    effect:
      "The next object that is inserted gets a key that no row, no change in history and no record of the mirror has.",
    watch: "'storescope doctor STORE --rule object-id-above-max' finds nothing.",
    instead: "There is no other fix; the rows themselves don't change.",
    cures: ["object-id-above-max"],
    needsMirror: false,
    requirements: { target, _ in
      let full = try roots(target).first { try highestKey($0.keys, target) == .max }
      return [
        Precondition(
          "keys-left", holds: full == nil,
          full.map {
            "\($0.table) uses the highest possible key, so there is none above it; give that row another key."
          }
            ?? "Each table has keys left.")
      ]
    },
    steps: { target, _ in
      try roots(target).compactMap { root in
        guard let highest = try highestKey(root.keys, target) else { return nil }
        return Step(
          "Z_PRIMARYKEY", .update(["Z_MAX": "?1"]), where: "Z_ENT = ?2 AND COALESCE(Z_MAX, 0) < ?1",
          [.integer(highest), .integer(root.number)], purpose: "the highest key of \(root.table)")
      }
    }
  )

  private static func highestKey(_ keys: String, _ target: Target) throws -> Int64? {
    try target.connection.first("SELECT MAX(pk) FROM (\(keys))") { $0.optionalInteger(0) }.flatMap { $0 }
  }

  /// Root entities and the framework's own, with their tables and SQL for their keys.
  private static func roots(_ target: Target) -> [(number: Int64, table: String, keys: String)] {
    let store = target.store
    let own = store.schema.entities.filter { $0.number == $0.root }.map {
      (number: $0.number, table: $0.table, keys: store.keysInUse(of: $0))
    }
    let framework = FrameworkTable.allCases.compactMap {
      table -> (number: Int64, table: String, keys: String)? in
      guard target.tables.has(table) else { return nil }
      let name = quotedIdentifier(table.rawValue)
      return store.primaryKeys.framework.first { $0.name == table.entity }.map {
        ($0.number, table.rawValue, "SELECT MAX(Z_PK) AS pk FROM main.\(name)")
      }
    }
    return (own + framework).filter { root in
      store.tables.columns(of: root.table).contains { $0.name.uppercased() == "Z_PK" }
    }
  }

  static let pruneHistory = Operation(
    "repair prune-history", summary: "delete history below the token, keeping the token's transaction",
    risk: .low,
    effect:
      "SQLite reuses the freed space. The mirror's exporter continues from the same token, whose transaction is kept.",
    risks: [
      "Other readers of history that lag behind the mirror (widgets, search, extensions) miss the changes they haven't read: pass --before with a date that all of them have passed."
    ],
    watch: "'storescope mirror STORE' still shows the token as current or behind.",
    instead: "The app should prune its own history by date, keeping at least a week.",
    cures: ["history-bloat"],
    takes: ["before"],
    needsMirror: false,
    adapt: { texts, choices in
      guard let before = choices.before?.iso8601 else { return }
      texts.effect = "Only transactions saved before \(before) are deleted. " + texts.effect
    },
    assess: { assessment, target, choices in
      if let token = target.token, ![.current, .behind].contains(token.state) {
        // The next launch would wipe the store, or fail.
        assessment.risk = .high
        return
      }
      guard let (lost, pending) = try pendingCauses(target, choices) else {
        assessment.risk = .medium
        assessment.texts.risks.insert(
          "The pending changes can't be counted, and may lose the history that shows who made them and when.",
          at: 0)
        return
      }
      guard lost > 0 else { return }
      assessment.risk = .medium
      let which =
        lost == pending
        ? Sentence.count(lost, "pending change")
        : "\(Sentence.number(lost)) of \(Sentence.number(pending)) pending changes"
      assessment.texts.risks.insert(
        """
        \(which) \(Sentence.form(lost, "loses", "lose")) the history that shows who made \
        \(Sentence.form(lost, "it", "them")) and when: 'pending' and 'trace' then only report 'or earlier' or \
        'history purged', and an import before the export may overwrite \(Sentence.form(lost, "it", "them")). Let \
        the app export first, until 'storescope pending STORE' shows nothing.
        """, at: 0)
    },
    requirements: { target, choices in
      guard target.tables.hasHistory else {
        return [Precondition("history-there", holds: false, "The store keeps no persistent history.")]
      }
      guard let token = target.token else {
        return [
          Precondition(
            "bound-known", holds: choices.before != nil, isOpen: choices.before == nil,
            choices.before == nil
              ? "The store is not mirrored, so it's unknown what is still needed: pass --before DATE."
              : "History before the given date is deleted.")
        ]
      }
      let isSafe = [.current, .behind].contains(token.state)
      return [
        Precondition(
          "bound-known", holds: isSafe,
          isSafe
            ? "The mirror has processed history below the token's transaction \(token.transaction ?? 0)."
            : "The history token is \(token.state.rawValue), so all of history may still be needed."
        )
      ]
    },
    steps: { target, choices in
      guard let bound = try pruneBound(target, choices) else { return [] }
      return [
        Step(
          FrameworkTable.changes.rawValue, .delete,
          where: """
            ZTRANSACTIONID IN (SELECT "transaction" FROM temp.transactions WHERE "transaction" < ?1)
            """, [.integer(bound)],
          purpose: "changes of those transactions"),
        Step(
          FrameworkTable.transactions.rawValue, .delete, where: "Z_PK < ?1", [.integer(bound)],
          purpose: "transactions that the mirror has processed"),
      ]
    }
  )

  /// How many pending changes lose the transaction that caused them, of how many; nil if they can't be counted.
  private static func pendingCauses(
    _ target: Target, _ choices: Choices
  ) throws -> (lost: Int, pending: Int)? {
    guard let mirror = target.mirror, let bound = try pruneBound(target, choices) else { return (0, 0) }
    let reader: PendingReader
    do { reader = try PendingReader(mirror) } catch let error as StoreScopeError where error.kind == .limit {
      return nil
    }
    var lost = 0
    try reader.forEach { item in
      if let transaction = item.transaction, transaction < bound { lost += 1 }
      return true
    }
    return (lost, reader.counts.total)
  }

  /// The first transaction that stays: the token's, or an earlier one that is not before the date. The newest
  /// transaction always stays.
  private static func pruneBound(_ target: Target, _ choices: Choices) throws -> Int64? {
    var bounds: [Int64] = []
    if let token = target.token {
      guard let number = token.transaction else { return nil }
      bounds.append(number)
    }
    let transactions = try target.mirror?.transactions ?? TransactionReader(target.store)
    bounds.append(try transactions?.newestTransaction() ?? 0)
    if let before = choices.before {
      bounds += [try transactions?.firstTransaction(notBefore: before)].compactMap { $0 }
    }
    return bounds.min()
  }
}
