import Lens
import StoreModel
import Values

extension Rule {
  static let historyBrokenLink = Rule(
    """
    Rule: history-broken-link
    Severity: error
    Title: History refers to rows that are gone
    Shows: Changes whose transaction is not in ATRANSACTION, by transaction; and strings (author, bundle, process,
      context) that transactions refer to and that are not in ATRANSACTIONSTRING.
    Why: A change without its transaction is never read again: all readers of history, including the mirror, miss it.
      Without its author's string, one of the mirror's transactions looks like the app's, and imported changes may be
      uploaded again.
    Next launch: No error is reported: fetches of history leave out changes without a transaction.
    Remedy: Find the code that prunes history with SQL, and use NSPersistentHistoryChangeRequest.deleteHistory
      instead.
    Remedy mirrored: 'storescope resync STORE --push' uploads the missed changes.
    Needs: history
    Log: ATRANSACTION
    False positives: None known. Transactions without changes are normal, and are left out. Missing strings beyond the
      first 10,000 aren't counted.
    Evidence: Measured on real stores: none of them has such a row.
    Message: {count} {transaction or string that history refers to is|transactions or strings that history refers to
      are} gone, such as {item}.
    """,
    .history { BrokenLinks($0) })
}

private final class BrokenLinks: HistoryObserver {
  let interest: HistoryInterest = .withoutTransaction
  /// In the order in which they are listed.
  private static let texts = ["author", "bundle", "process", "context"]
  private static let missingTextLimit = 10_000

  private let examination: Examination
  /// Changes of one transaction come one after the other.
  private var run: (transaction: Int64, changes: Int, firstChange: Int64)?
  private var unlinked: (changes: Int, firstChange: Int64)?

  init(_ examination: Examination) { self.examination = examination }

  func visit(_ change: HistoryChange, as what: HistoryInterest, _ findings: inout FindingCollector) {
    guard let transaction = change.transaction else {
      unlinked = ((unlinked?.changes ?? 0) + 1, unlinked?.firstChange ?? change.row)
      return
    }
    if run?.transaction != transaction {
      report(&findings)
      run = (transaction, 0, change.row)
    }
    run?.changes += 1
  }

  private func report(_ findings: inout FindingCollector) {
    guard let run else { return }
    findings.add(
      subject: "transaction \(run.transaction)",
      [
        "item": .text("transaction \(run.transaction)"), "missing": "transaction",
        "number": .integer(run.transaction), "changes": .count(run.changes),
        "firstChange": .integer(run.firstChange),
      ])
  }

  func finish(_ findings: inout FindingCollector) throws {
    report(&findings)
    if let unlinked {
      findings.add(
        subject: "no transaction",
        [
          "item": "the transaction of changes without one", "missing": "transaction", "number": .null,
          "changes": .count(unlinked.changes), "firstChange": .integer(unlinked.firstChange),
        ])
    }
    try reportTexts(&findings)
  }

  private func reportTexts(_ findings: inout FindingCollector) throws {
    struct Use: Hashable {
      var number: Int64
      var text: Int
    }
    var uses: [Use: (transactions: Int, first: Int64)] = [:]
    try TransactionReader(examination.store)?.forEachMissingText { transaction, text, number in
      let use = Use(number: number, text: Self.texts.firstIndex(of: text) ?? 0)
      guard uses[use] != nil || uses.count < Self.missingTextLimit else { return }
      uses[use, default: (0, transaction)].transactions += 1
    }
    for (use, seen) in uses.sorted(by: { ($0.key.number, $0.key.text) < ($1.key.number, $1.key.text) }) {
      findings.add(
        subject: "\(Self.texts[use.text]) \(use.number)",
        [
          "item": .text("\(Self.texts[use.text]) string \(use.number)"),
          "missing": .text(Self.texts[use.text]), "number": .integer(use.number),
          "transactions": .count(seen.transactions), "firstTransaction": .integer(seen.first),
        ])
    }
  }
}

extension Rule {
  static let historyEntityUnknown = Rule(
    """
    Rule: history-entity-unknown
    Severity: warning
    Title: History of unknown entities
    Shows: Entity numbers of changes in history that aren't in Z_PRIMARYKEY.
    Why: The model lost or renumbered entities while history was kept. These changes can't be assigned to any object,
      and readers of history skip them; changes not exported yet never will be.
    Next launch: The framework skips such changes.
    Remedy: If a migration removed the entity, nothing needs to be done: the changes disappear when history is pruned.
      Otherwise compare the model with the model of a backup.
    Remedy mirrored: 'storescope repair STORE prune-history' prunes it safely.
    Needs: history
    Log: ATRANSACTION
    False positives: History from before an entity was removed on purpose. Numbers beyond the first 10,000 aren't
      counted.
    Evidence: App authors report it.
    Message: History has changes of {count} {entity number|entity numbers} that Z_PRIMARYKEY doesn't list, such as
      {entity} ({changes} {changes:change|changes}).
    """,
    .history { _ in EntityTally { $0 == nil || $0.map { $0 < PrimaryKeyTable.firstFrameworkNumber } ?? false }
    })

  static let historyOfAncillaryEntity = Rule(
    """
    Rule: history-of-ancillary-entity
    Severity: error
    Title: History of the framework's own tables
    Shows: Entity numbers of changes in history from 16000 up, which the framework uses for its own tables.
    Why: The framework keeps its own tables out of history. Some of its versions treat such rows as the result of an
      earlier faulty version, and delete all history up to the last of them; if the mirror's history token is in the
      deleted part, the mirror then wipes its objects and fetches them again.
    Next launch: All history up to 'lastTransaction' may be deleted when the store is opened.
    Remedy: Back up the store.
    Remedy mirrored: If the token is at or below 'lastTransaction', 'storescope resync STORE --rescan' removes it, so
      it can't expire.
    Needs: history
    Log: ATRANSACTION
    False positives: None known. Numbers beyond the first 10,000 aren't counted.
    Evidence: Inferred from how the framework numbers its entities; none of the real stores measured has such a row.
    Message: History has changes of {count} {entity|entities} internal to the framework, up to transaction
      {lastTransaction}.
    """,
    .history { _ in EntityTally { $0.map { $0 >= PrimaryKeyTable.firstFrameworkNumber } ?? false } })
}

/// Counts changes by their entity's number, of numbers that aren't the app's.
private final class EntityTally: HistoryObserver {
  private struct Tally {
    var changes = 0
    var first: Int64?
    var last: Int64?
  }

  private static let limit = 10_000

  let interest: HistoryInterest = .strangeEntities
  private let isMeant: (Int64?) -> Bool
  private var tallies: [Int64?: Tally] = [:]

  init(_ isMeant: @escaping (Int64?) -> Bool) { self.isMeant = isMeant }

  func visit(_ change: HistoryChange, as what: HistoryInterest, _ findings: inout FindingCollector) {
    guard isMeant(change.entity), tallies[change.entity] != nil || tallies.count < Self.limit else { return }
    var tally = tallies[change.entity] ?? Tally(first: change.transaction)
    tally.changes += 1
    tally.last = change.transaction ?? tally.last
    tallies[change.entity] = tally
  }

  func finish(_ findings: inout FindingCollector) {
    for (entity, tally) in tallies.sorted(by: { $0.key ?? .min < $1.key ?? .min }) {
      findings.add(
        subject: entity.map { "entity \($0)" } ?? "no entity",
        [
          "entity": .optional(entity), "changes": .count(tally.changes),
          "firstTransaction": .optional(tally.first), "lastTransaction": .optional(tally.last),
        ])
    }
  }
}
