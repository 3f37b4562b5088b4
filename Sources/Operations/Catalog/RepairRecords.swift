import Lens
import SQLite

extension Operation {
  static let removeOrphanRecords = Operation(
    "repair remove-orphan-records",
    summary: "drop records whose object is gone, or delete them on the server", risk: .medium,
    effect:
      "With --cloud keep the framework forgets the records: the server's copies remain and come back as objects at a full import. With --cloud delete the next export deletes them on the server, for every device.",
    risks: [
      "--cloud delete removes the records from all devices.",
      "--cloud keep lets the objects come back later.",
      "Many-to-many links to these records remain; 'storescope doctor STORE' lists them as broken, and 'resync --pull' fetches them again.",
    ],
    watch:
      "'storescope records STORE --state orphan' shows none; with --cloud delete, 'storescope pending STORE' falls to 0 once exports succeed.",
    instead: "Doing nothing is fine for orphans that aren't queued: no export touches them.",
    cures: ["record-orphan-queued", "record-orphaned", "record-entity-unknown"],
    leaves: ["record-orphan-queued": "the next export", "record-entity-unknown": "the next export"],
    takes: ["cloud"],
    adapt: { texts, choices in
      switch choices.cloud {
      case .keep:
        texts.effect =
          "The framework forgets the records. The server's copies remain, and come back as objects at a full import."
        texts.risks.remove(at: 0)
        texts.watch = "'storescope records STORE --state orphan' shows none."
      case .delete:
        texts.effect = "The next export deletes the records on the server, for every device."
        texts.risks.remove(at: 1)
        texts.watch =
          "'storescope records STORE --state orphan' shows none, and 'storescope pending STORE' falls to 0 once exports succeed."
      case nil: break
      }
    },
    requirements: { target, choices in
      [try cloudChoice(target, choices)]
        + (choices.cloud == .delete ? [Conditions.identity(target), Conditions.usableToken(target)] : [])
    },
    steps: { target, choices in
      if choices.cloud == .keep {
        return Conditions.dropRecords(target, where: orphans, purpose: "records whose object is gone")
      }
      return [
        Step(
          FrameworkTable.records.rawValue, .update(["ZNEEDSUPLOAD": "1", "ZNEEDSCLOUDDELETE": "1"]),
          where: "Z_PK IN (\(Conditions.rows(of: "records", where: orphans)))",
          purpose: "queue their records for deletion on the server")
      ]
    }
  )

  // Without its entity's table nothing shows whether a record's object exists.
  private static let orphans = "state = '\(RecordState.orphan.rawValue)' AND (tableExists OR entity IS NULL)"

  /// Nobody has to choose for records that there aren't.
  private static func cloudChoice(_ target: Target, _ choices: Choices) throws -> Precondition {
    let name = "cloud-said"
    if let cloud = choices.cloud {
      return Precondition(name, holds: true, "The server's copies: \(cloud.rawValue).")
    }
    return try Conditions.count(target, "records", orphans) == 0
      ? Precondition(
        name, holds: true, "No record's object is gone, so there are no server's copies to decide on.")
      : Precondition(
        name, holds: false, isOpen: true,
        "Choose what to do with the server's copies: --cloud keep or --cloud delete.")
  }

  static let removeDuplicateRecords = Operation(
    "repair remove-duplicate-records", summary: "keep the record that the server has acknowledged",
    risk: .low,
    effect: "Each object has at most one record, and each record name occurs once in its zone.",
    risks: [
      "If two live objects share a record name, one of them loses its record; the next scan registers it under a new name.",
      "A record that is dropped here remains on the server and comes back as a second object at a full import.",
    ],
    watch: "'storescope doctor STORE' finds no duplicated record.",
    instead:
      "Core Data's unique indexes prevent duplicates; if they are missing, the app's next launch may also fix them.",
    cures: ["record-object-duplicated", "record-name-duplicated"],
    takes: ["discard-pending-deletes"],
    requirements: { target, choices in
      [try Conditions.noLostDeletes(target, choices, records: worseDuplicates, links: "0")]
    },
    steps: { target, _ in
      Conditions.dropRecords(
        target, where: worseDuplicates, purpose: "duplicates of a better record")
    }
  )

  /// Over the view `records`, true for those next to a better one. Those of one name first and those of one object among
  /// the rest: both at once could leave an object without any.
  private static var worseDuplicates: String {
    // A record whose object is gone must not stand in the way of one whose object is there.
    let best = #"objectExists DESC, acknowledged DESC, COALESCE(lastExported, 0) DESC, "row""#
    func bestOf(_ columns: String, among rows: String) -> String {
      """
      SELECT "row" FROM (SELECT "row", ROW_NUMBER() OVER (PARTITION BY \(columns) ORDER BY \(best)) AS place \
      FROM temp.records WHERE \(rows)) WHERE place = 1
      """
    }
    // What is NULL is the same as nothing else.
    let names = bestOf(
      #"CASE WHEN recordName IS NULL OR zoneRow IS NULL THEN "row" END, recordName, zoneRow"#, among: "1")
    let objects = bestOf(
      #"CASE WHEN entityNumber IS NULL OR pk IS NULL THEN "row" END, entityNumber, pk"#,
      among: "\"row\" IN (\(names))")
    return "\"row\" NOT IN (\(objects))"
  }

  static let clearImportLeftovers = Operation(
    "repair clear-import-leftovers",
    summary: "drop pending import relationships and empty operations, with a pull",
    risk: .low,
    effect:
      "The framework forgets the links that it was waiting for, and the next launch fetches every zone again, which restores the links that the server still has.",
    risks: ["A link whose record the server no longer has is not restored."],
    watch:
      "'storescope mirror STORE --table NSCKImportPendingRelationship' stays empty after the next import.",
    instead:
      "Leftovers that are only hours old may still be needed: a running import clears them on its own.",
    cures: ["import-relationship-stuck"],
    assess: { assessment, target, _ in try Conditions.warnOfLostRecords(&assessment, target, fetching) },
    requirements: { target, _ in [Conditions.identity(target)] },
    steps: { _, _ in
      [
        Step(FrameworkTable.pendingRelationships.rawValue, .delete, purpose: "links waiting for an object"),
        Step(FrameworkTable.importOperations.rawValue, .delete, purpose: "the imports they belong to"),
      ] + pullSteps
    }
  )

  static let clearEvents = Operation(
    "repair clear-events", summary: "delete the event log and dead export rows", risk: .none,
    effect: "Nothing changes for the framework: it doesn't use the log.",
    watch: "'storescope events STORE' is empty until the next launch.",
    instead: "The framework shortens the log on its own; this is for a store that you share.",
    cures: ["dead-table-rows", "event-never-ended"],
    // Of a store whose last runs succeeded nobody misses the log.
    assess: { assessment, target, _ in
      let runs = try failingRuns(target)
      guard !runs.isEmpty else { return }
      assessment.risk = .low
      assessment.texts.risks += [
        "The record of the failures is lost: save 'storescope events STORE --json' first.",
        "'pending' and 'doctor' can't explain the failing \(runs.joined(separator: " and ")) until the next one fails: a blocked store looks as if it were only pending.",
      ]
    },
    steps: { target, _ in
      [FrameworkTable.events, .exportedObjects, .exportOperations, .exportMetadata].filter {
        target.tables.has($0)
      }
      .map { Step($0.rawValue, .delete, purpose: "all of \($0.entity)") }
    }
  )

  /// The kinds of runs of which the last one failed, as `exports`.
  private static func failingRuns(_ target: Target) throws -> [String] {
    guard let events = try target.mirror?.events else { return [] }
    return MirrorEvent.Kind.allCases.filter { events[$0].failure != nil }.map { $0.name + "s" }
  }
}
