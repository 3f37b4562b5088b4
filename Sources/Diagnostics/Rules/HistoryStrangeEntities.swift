import Lens
import StoreModel
import Values

extension Rule {
  static let historyEntityUnknown = Rule(
    aboutUnknown,
    .history { _ in EntityTally { $0 == nil || $0.map { $0 < PrimaryKeyTable.firstFrameworkNumber } ?? false }
    })

  static let historyOfAncillaryEntity = Rule(
    aboutAncillary,
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

  func visit(
    _ change: HistoryChange, as what: HistoryInterest, _ findings: inout FindingCollector
  ) {
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
          .init("entity", .optional(entity)), .init("changes", .count(tally.changes)),
          .init("firstTransaction", .optional(tally.first)), .init("lastTransaction", .optional(tally.last)),
        ])
    }
  }
}

private let aboutUnknown = RuleHeader(
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
  """)

private let aboutAncillary = RuleHeader(
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
  """)
