extension Terms {
  /// The store itself and its history.
  static let history: [Explanation] = [
    .term(
      "persistent history",
      synonyms: ["history", "history tracking", "persistent history tracking", "ATRANSACTION", "ACHANGE"],
      """
      Core Data's own log of changes in the store: which object was inserted, updated or deleted, by whom \
      and when. The CloudKit mirror reads it to know what to upload.
      """,
      causes: [
        """
        It exists while NSPersistentHistoryTrackingKey is set; mirrored stores and all SwiftData stores \
        have it
        """
      ],
      advice: """
        Look at it with `storescope history`. Under CloudKit purge only what is older than a week or more, \
        and never by raw SQL.
        """,
      certainty: .documented,
      sources: [ExplanationSource.persistentHistory, ExplanationSource.historyPurgeReport]),
    .term(
      "transaction",
      synonyms: ["history transaction"],
      """
      One save, or one batch request, in persistent history. It has a number that only rises, a time, an \
      author, a context name, a bundle and a process, and the changes made.
      """,
      advice: "See `storescope history --transaction NUMBER`. Gaps in the numbers are normal after purging.",
      certainty: .documented, sources: [ExplanationSource.persistentHistory]),
    .term(
      "date",
      synonyms: ["dates", "NSDate", "timeIntervalSinceReferenceDate", "seconds since 2001"],
      """
      A moment. The store keeps it as seconds since 2001-01-01 00:00 UTC. JSON, CSV and SQL show UTC text of one \
      width (2026-03-22T15:00:00.500000Z); tables leave out zeros.
      """,
      advice: """
        In SQL and `--where`, dates compare and sort by time, however they are written: '2026-03-20', \
        '2026-03-20 12:00', '2026-03-20T12:00:00+01:00', 'now', or a number as seconds since 2001. Seconds since \
        1970 go through datetime(SECONDS, 'unixepoch').
        """,
      certainty: .documented,
      sources: ["https://developer.apple.com/documentation/foundation/nsdate/timeintervalsincereferencedate"]),
    .term(
      "transaction author",
      synonyms: ["author"],
      """
      The name a context gives itself when it saves, kept with each transaction. The mirror's own are \
      NSCloudKitMirroringDelegate.import, .export, .reset, .setup, .migration and .event.
      """,
      causes: ["Transactions without an author come from code that sets none; the mirror exports those too"],
      advice: """
        Give every context, in extensions too, its own transactionAuthor, and look at `storescope history \
        --by author`.
        """,
      certainty: .observed,
      sources: [ExplanationSource.coreData("nsmanagedobjectcontext/transactionauthor")]),
    .term(
      "history token",
      synonyms: [
        "token", "last history token", "NSPersistentHistoryToken",
        "NSCloudKitMirroringDelegateLastHistoryTokenKey",
      ],
      """
      The mirror's bookmark in persistent history: the number of the last transaction that it has looked \
      at, kept with the store's UUID.
      """,
      causes: [
        "Missing before the first successful setup",
        "Expired when that very transaction is no longer in the store",
        "Foreign when it carries another store's UUID",
      ],
      advice: """
        `storescope mirror` tells the token's state. An expired one makes the next launch delete the local \
        rows and download everything.
        """,
      certainty: .inferred,
      sources: [ExplanationSource.coreData("nspersistenthistorytoken"), ExplanationSource.historyPurgeReport]),
    .term(
      "unanalyzed",
      synonyms: ["unanalyzed change", "backlog", "history backlog", "not analyzed"],
      """
      Changes that the app saved after the transaction of the history token: the mirror has not looked at \
      them yet, so no record is marked for upload.
      """,
      causes: ["A normal state between a save and the next export", "It grows while exports don't run"],
      advice: """
        `storescope pending` counts them together with what is marked, as flags alone show too little.
        """,
      resolves: .yes("The next export looks at them."),
      certainty: .inferred, sources: [ExplanationSource.tn3163]),
    .term(
      "tombstone",
      synonyms: ["tombstones of deletes"],
      """
      Values of a deleted object that persistent history keeps, for attributes that the model marks with \
      Preserve After Deletion.
      """,
      advice: """
        `storescope history` prints them with each deletion; mark the attribute that identifies an object \
        across devices.
        """,
      certainty: .documented, sources: [ExplanationSource.persistentHistory]),
    .term(
      "temporary object ID",
      synonyms: ["temporary ID", "temporary objectID", "isTemporaryID"],
      """
      The identifier that an object has before its first save; its URI reads x-coredata:///Entity/t and a \
      UUID. It names nothing after the save.
      """,
      causes: ["Code stored or passed on the ID or its URI before the object was saved"],
      advice: """
        Save first, or call obtainPermanentIDs, before keeping an ID; the finding temporary-object-id shows \
        where a store contains such URIs.
        """,
      resolves: .no("What was stored can't be resolved anymore."),
      certainty: .observed, sources: [ExplanationSource.coreData("nsmanagedobjectid/istemporaryid")]),
    .term(
      "object URI",
      synonyms: ["URI", "objectID URI", "uriRepresentation", "x-coredata"],
      """
      The address of an object in one store: x-coredata://STORE-UUID/Entity/pNUMBER. The number is the \
      row's key, which differs from device to device.
      """,
      causes: ["Kept in an attribute that syncs, it names another object, or none, on other devices"],
      advice: "Keep an identifier of your own in mirrored entities; `storescope show URI` prints the object.",
      certainty: .observed, sources: [ExplanationSource.coreData("nsmanagedobjectid/urirepresentation()")]),
    .term(
      "Z_PRIMARYKEY",
      synonyms: ["Z_ENT", "entity number", "Z_MAX", "Z_NAME"],
      """
      Core Data's table of entities: a number for each (Z_ENT), its name, its parent, and the highest row \
      key given out so far (Z_MAX).
      """,
      causes: [
        "Z_MAX below the highest key in use makes the next insert fail: rows were added outside Core Data"
      ],
      advice: """
        Never rely on entity numbers across versions of a model; `storescope repair raise-max` corrects \
        Z_MAX.
        """,
      certainty: .observed, sources: [ExplanationSource.appAuthors]),
    .term(
      "Z_PK",
      synonyms: ["primary key", "row key", "Z_OPT"],
      """
      Columns that each of Core Data's tables has: Z_PK is the row's key, Z_ENT the number of its entity, \
      Z_OPT a counter that rises with each save of the row.
      """,
      advice: "Use `storescope rows`, which has the model's names in place of these.",
      certainty: .observed, sources: [ExplanationSource.appAuthors]),
    .term(
      "model cache",
      synonyms: ["Z_MODELCACHE", "cached model"],
      """
      A compressed copy of the managed object model that Core Data keeps in the store, in the table \
      Z_MODELCACHE. storescope takes the names of entities and properties from it.
      """,
      causes: ["Missing in stores that were never opened for writing by a system that keeps it"],
      advice: "Where it is missing or damaged, give storescope the app's model with --model.",
      certainty: .observed, sources: [ExplanationSource.appAuthors]),
    .term(
      "external data",
      synonyms: ["external storage", "_EXTERNAL_DATA", "allows external storage", "_SUPPORT"],
      """
      Large values that Core Data keeps in files of their own, in the folder .NAME_SUPPORT/_EXTERNAL_DATA \
      next to the store, with only the file's name in the row.
      """,
      causes: ["Copying the store without the folder loses them"],
      advice: """
        Copy the whole folder of a store; the findings external-data-missing and external-data-orphaned show \
        what doesn't fit together.
        """,
      certainty: .observed,
      sources: [ExplanationSource.coreData("nsattributedescription/allowsexternalbinarydatastorage")]),
    .term(
      "WAL",
      synonyms: ["write-ahead log", "-wal", "wal file"],
      """
      SQLite's write-ahead log, the file NAME-wal next to the store. Commits go there first, so a copy of \
      the store without it lacks the newest changes.
      """,
      advice: "Always copy store and -wal together; storescope reads both without changing either.",
      certainty: .documented, sources: [ExplanationSource.writeAheadLog]),
    .term(
      "checkpoint",
      synonyms: ["wal checkpoint"],
      """
      The moment at which SQLite moves commits from the -wal file into the store's main file. Most tools \
      cause one by merely opening a store for writing.
      """,
      advice: """
        Inspect copies with a tool that doesn't checkpoint; `storescope summary` tells how much lies in the \
        -wal file.
        """,
      certainty: .documented, sources: [ExplanationSource.writeAheadLog]),
    .term(
      "query generation",
      synonyms: ["query generations", "pinned context"],
      """
      A stable view of the database that a context can be pinned to, so that imports don't change what it \
      shows. It needs WAL journaling.
      """,
      causes: [
        "The message 'Unsupported feature in this configuration' means that the store isn't in WAL mode"
      ],
      advice: "Leave the store in WAL mode if contexts are pinned; the finding journal-not-wal tells.",
      certainty: .documented, sources: [ExplanationSource.queryGenerations]),
  ]
}
