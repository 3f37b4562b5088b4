import Base
import Lens
import StoreModel

extension Rule {
  static let historyBrokenLink = Rule(
    "history-broken-link",
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
    "history-entity-unknown",
    .history { _ in EntityTally { $0 == nil || $0.map { $0 < PrimaryKeyTable.firstFrameworkNumber } ?? false }
    })

  static let historyOfAncillaryEntity = Rule(
    "history-of-ancillary-entity",
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
