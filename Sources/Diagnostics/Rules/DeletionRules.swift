import Lens
import Values

extension Rule {
  static let massDeleteByApp = Rule(
    """
    Rule: mass-delete-by-app
    Severity: warning
    Title: A program deleted most objects of an entity
    Shows: Bursts of transactions by one author that delete at least 'share' of a mirrored entity's objects, and at
      least 'least'. An error as long as some of these deletions haven't reached the server.
    Why: Deletions are exported like any change: what one device deletes disappears from iCloud and from all other
      devices. Migrations, "start over" functions and wrong predicates did that to people's libraries.
    Next launch: Pending deletions are exported, and every other device then deletes the same objects.
    Remedy: If the deletions were a mistake: don't launch the app on this device while they are pending, keep this
      file, and restore a backup made before the time in 'from'. 'storescope history STORE --change delete --by
      author' shows who deleted what; 'storescope trace STORE OBJECT' shows one object.
    Needs: history, mirror
    Log: ATRANSACTION
    False positives: The user deleted everything on purpose, or the app replaces its objects in a later save. Batch
      deletes without history aren't seen. How many objects there were is counted back from today's rows through
      history.
    Evidence: App authors report libraries that one device emptied on all of a user's devices.
    Message: {who} deleted {deletes} of {objectsBefore} {entity} objects at {from}{more}.
    \(share)
    \(least)
    \(pause("an app that deletes object by object saves many times a minute"))
    """,
    .history { MassDeletes($0, .app) })

  static let massDeleteImported = Rule(
    """
    Rule: mass-delete-imported
    Severity: warning
    Title: Another device deleted most objects of an entity
    Shows: Bursts of imports that delete at least 'share' of a mirrored entity's objects, and at least 'least'.
    Why: Another device deleted the objects in iCloud, and this store followed. If that was a mistake, the cause is on
      that device, and only a backup has the objects.
    Next launch: Nothing more: the objects are gone here and on the server.
    Remedy: Ask which devices were active at 'from', and look for 'mass-delete-by-app' in their stores. Restore a
      backup from before that time on a device without a network connection, and export the objects from it.
    Needs: history, mirror
    Log: ATRANSACTION
    False positives: The user deleted everything on purpose on another device, or left a share. How many objects there
      were is counted back from today's rows through history.
    Evidence: App authors report libraries that one device emptied on all of a user's devices.
    Message: An import deleted {deletes} of {objectsBefore} {entity} objects at {from}.
    \(share)
    \(least)
    \(pause("imports come in transactions of a few hundred objects"))
    """,
    .history { MassDeletes($0, .importing) })
}

private let share =
  "Param share: part of the entity's objects; below half, it may be somebody cleaning up, default 0.5"
private let least =
  "Param least: deletes of one entity; fewer are what a person deletes in a session, default 20"
private func pause(_ reason: String) -> String {
  "Param pause: seconds between transactions of one burst; \(reason), default 60"
}

extension Rule {
  static let pastWipe = Rule(
    """
    Rule: past-wipe
    Severity: warning
    Title: The mirror deleted the app's objects
    Shows: Deletes by the author 'NSCloudKitMirroringDelegate.reset'; deletes at most 'pause' seconds apart count as
      one wipe.
    Why: With this author the framework deletes mirrored objects: after the iCloud account changed, after the
      transaction of the history token was pruned, or after the user deleted a zone. Changes that hadn't been uploaded
      were lost.
    Next launch: Nothing more: objects in the cloud are, or were, fetched again, with new primary keys.
    Remedy: Find the cause: check 'storescope events STORE' near 'from', and whether the app prunes history the mirror
      hasn't processed yet. To find missing objects, compare with an earlier backup: 'storescope diff STORE BACKUP'.
    Needs: history
    Log: ATRANSACTION
    False positives: Wipes that the user wanted: signing out of iCloud, or deleting the app's data in its settings.
      Leaving a share deletes its objects in the same way.
    Evidence: App authors report it.
    Message: The mirror wiped the store {count} {time|times}, first deleting {deletes} {deletes:object|objects}.
    Param deletes: deletes in one wipe; the framework uses this author only for wipes, so a single delete counts,
      default 1
    Param pause: seconds between transactions of one wipe, which has a transaction per entity and batch, default
      \(HistoryBurst.pause)
    """,
    .history { PastWipes($0) })
}

private final class PastWipes: HistoryObserver {
  let interest: HistoryInterest = .ends
  private let deletes: Double
  private var wipes: HistoryBursts

  init(_ examination: Examination) {
    deletes = examination.setting("deletes", of: Rule.pastWipe.header)
    wipes = HistoryBursts(pause: examination.setting("pause", of: Rule.pastWipe.header))
  }

  func end(_ transaction: HistoryTransaction, _ counts: ChangeCounts, _ findings: inout FindingCollector) {
    guard transaction.origin == .reset else { return }
    report(wipes.add(transaction, counts, changes: counts.total), &findings)
  }

  private func report(_ wipe: HistoryBurst?, _ findings: inout FindingCollector) {
    guard let wipe, wipe.deletes > 0, Double(wipe.deletes) >= deletes else { return }
    findings.add(
      subject: "transaction \(wipe.firstTransaction)",
      [
        "from": .optional(wipe.from), "until": .optional(wipe.until),
        "firstTransaction": .integer(wipe.firstTransaction),
        "lastTransaction": .integer(wipe.lastTransaction), "transactions": .count(wipe.transactions),
        "deletes": .count(wipe.deletes),
      ])
  }

  func finish(_ findings: inout FindingCollector) {
    report(wipes.current, &findings)
  }
}
