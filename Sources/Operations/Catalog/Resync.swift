import Base
import Lens
import SQLite
import StoreModel

extension Operation {
  static let pull = Operation(
    "resync --pull", summary: "make the next launch fetch every zone again", risk: .low,
    effect:
      "The next launch downloads every record of every zone and matches it by record name, so nothing is duplicated. Local edits that haven't been exported yet win over downloaded values.",
    risks: [
      "A full download takes time and traffic; CloudKit may slow it down.",
      "Objects that were deleted here with raw SQL come back, as the server still has them.",
      "Deletions that are pending stay pending: the next export still deletes the records on the server.",
    ],
    watch:
      "'storescope events STORE' shows an import that succeeds, and 'storescope mirror STORE' that no zone needs import.",
    instead: "If local changes aren't reaching the cloud, use 'resync --push' or '--rescan' instead.",
    withoutWAL:
      "Then the download brings back what was exported, but not what was only saved here.",
    settled: "the next launch already fetches every zone again",
    cures: [
      "zone-import-stuck", "import-relationship-stuck", "link-broken", "link-stuck", "event-import-failing",
      "record-without-zone",
    ],
    leaves: [
      "import-relationship-stuck": "the next import", "link-broken": "the next import",
      "link-stuck": "the next import", "event-import-failing": "the next import",
      "record-without-zone": "the next import", "zone-import-stuck": "the next import",
    ],
    assess: { assessment, target, _ in try Conditions.warnOfLostRecords(&assessment, target, fetching) },
    requirements: { target, _ in [Conditions.identity(target)] },
    steps: { _, _ in pullSteps }
  )

  /// What a full download does to rows without a record.
  static let fetching = "the download adds the server's copies as new objects"

  /// What Core Data itself does to the zones after it migrated an app's model.
  static let pullSteps = [
    Step(
      FrameworkTable.zones.rawValue,
      .update(["ZNEEDSIMPORT": "1", "ZCURRENTCHANGETOKEN": "NULL", "ZLASTFETCHDATE": "NULL"]),
      purpose: "forget how far each zone was fetched"),
    Step(
      FrameworkTable.databases.rawValue, .update(["ZCURRENTCHANGETOKEN": "NULL", "ZLASTFETCHDATE": "NULL"]),
      purpose: "forget how far the database was fetched"),
  ]

  static let push = Operation(
    "resync --push", summary: "make the next launch upload every live object and link again", risk: .medium,
    effect:
      "The next launch uploads every object that has a record, and every link, under its existing record name, so nothing is duplicated. If the server's copy is newer, the framework merges.",
    risks: ["Other devices receive this device's values as the newest."],
    watch: "'storescope pending STORE' falls to 0 once exports succeed.",
    instead:
      "If the app can run, touching the objects through Core Data in batches is gentler. For changes that were missed, 'resync --rescan' is enough.",
    withoutWAL:
      "Then other devices receive older values as the newest.",
    settled: "it has no record or link that isn't already flagged for upload",
    cures: ["record-never-acknowledged"],
    leaves: ["record-never-acknowledged": "the next export"],
    takes: ["entity"],
    adapt: { texts, choices in
      guard let entity = choices.entity else { return }
      texts.effect =
        "The next launch uploads every object of \(entity) that has a record, and every link of theirs, under its existing record name, so nothing is duplicated. If the server's copy is newer, the framework merges."
    },
    assess: { assessment, target, choices in
      let (records, links) = try uploaded(target, choices)
      let count =
        try Conditions.count(target, "records", records) + Conditions.count(target, "links", links)
      guard count >= manyUploads else { return }
      assessment.texts.risks.insert(
        "\(Sentence.number(count)) uploads in a row can make CloudKit throttle the device: sync pauses for minutes to hours, then continues.",
        at: 0)
    },
    requirements: { target, choices in
      if let name = choices.entity { _ = try target.store.entity(named: name) }
      return [Conditions.identity(target), Conditions.usableToken(target)]
    },
    steps: { target, choices in
      let token = target.token?.transaction.map(SQLiteValue.integer) ?? .null
      let (records, links) = try uploaded(target, choices)
      return [
        Step(
          FrameworkTable.records.rawValue,
          .update([
            "ZNEEDSUPLOAD": "1", "ZNEEDSCLOUDDELETE": "0",
            "ZPENDINGEXPORTTRANSACTIONNUMBER": "COALESCE(?1, ZPENDINGEXPORTTRANSACTIONNUMBER)",
          ]),
          where: "Z_PK IN (\(Conditions.rows(of: "records", where: records)))", [token],
          purpose: "flag every live object's record for upload"),
        Step(
          FrameworkTable.links.rawValue, .update(["ZISUPLOADED": "0"]),
          where: "Z_PK IN (\(Conditions.rows(of: "links", where: links)))",
          purpose: "flag every live many-to-many link for upload"),
      ]
    }
  )

  /// From here on a warning helps: a few uploads are what every launch does.
  private static let manyUploads = 1000

  /// Which rows of the views `records` and `links` are flagged for upload.
  private static func uploaded(
    _ target: Target, _ choices: Choices
  ) throws -> (records: String, links: String) {
    // A record whose object is gone would be deleted on the server.
    var records = "objectExists"
    var links = "NOT needsDelete AND NOT isPending"
    if let entity = try choices.entity.map(target.store.entity(named:)) {
      let numbers = Set(target.store.schema.descendants(of: entity).map(\.number))
      records += " AND entityNumber IN (\(numbers.sorted().map(String.init).joined(separator: ", ")))"
      let names = target.store.schema.entities.filter { numbers.contains($0.number) }
        .map { quotedText($0.name) }.joined(separator: ", ")
      links += " AND (entity IN (\(names)) OR relatedEntity IN (\(names)))"
    }
    return (records, links)
  }

  static let rescan = Operation(
    "resync --rescan", summary: "make the next launch process all of history again", risk: .low,
    effect:
      "The next launch finds no history token: it registers rows that have no record, processes all of history again, and uploads every object that the app changed in it.",
    risks: [
      "If a launch of the app has wiped the store in the meantime, it is too late.",
      "Objects that have a record and were changed in history that has since been pruned aren't found: combine it with 'resync --push --entity' for them.",
    ],
    watch:
      "After the next launch 'storescope mirror STORE' shows a token again, and 'storescope pending STORE' falls to 0 once exports succeed.",
    instead: "If only rows without a record are missing, 'repair register-missing' changes less.",
    withoutWAL:
      "Then history lacks the newest saves, and older values are uploaded again.",
    cures: ["token-expired", "token-foreign-store", "record-transaction-ahead"],
    leaves: ["token-missing": "the next export", "record-transaction-ahead": "the next export"],
    assess: { assessment, target, _ in
      if let again = try Conditions.processedAgain(target) { assessment.texts.effect += " " + again }
      if let skipped = try Conditions.deletionsThatMayBeSkipped(target) {
        assessment.risk = .medium
        assessment.texts.risks.insert(skipped, at: 0)
      }
      try Conditions.warnOfLostRecords(
        &assessment, target, "the next export uploads every row without a record under a new name")
    },
    requirements: { target, _ in
      let token = target.token?.state
      return [
        Conditions.identity(target),
        Precondition(
          "token-there", holds: token != .missing,
          token == .missing
            ? "There is no history token, so the next launch processes all of history anyway."
            : "There is a history token to drop."),
      ]
    },
    steps: { _, _ in
      [
        Step(
          FrameworkTable.metadataEntries.rawValue, .delete, where: "ZKEY = ?1",
          [.text(MetadataKey.lastHistoryToken)], purpose: "drop the history token")
      ]
    }
  )
}
