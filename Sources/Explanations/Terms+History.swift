extension Terms {
  /// The store itself and its history.
  static let history: [Explanation] = [
    .term(
      "persistent history",
      synonyms: ["history", "history tracking", "persistent history tracking", "ATRANSACTION", "ACHANGE"],
      """
      Core Data's own log of changes in the store: which object was inserted, updated or deleted, by whom \
      and when. The CloudKit mirror reads it to determine what to upload.
      """,
      causes: [
        """
        It exists while NSPersistentHistoryTrackingKey is set; mirrored stores and all SwiftData stores \
        have it
        """
      ],
      advice: """
        Browse it with 'storescope history STORE'. In a mirrored store, purge only history older than at least a \
        week, and never with raw SQL.
        """,
      certainty: .documented,
      sources: [ExplanationSource.persistentHistory, ExplanationSource.historyPurgeReport]),
    .term(
      "transaction",
      synonyms: ["history transaction"],
      """
      One save, or one batch request, in persistent history. It has an increasing number, a time, an author, \
      a context name, a bundle, a process, and its changes.
      """,
      advice:
        "See 'storescope history STORE --transaction NUMBER'. Gaps between numbers are normal after purging.",
      certainty: .documented, sources: [ExplanationSource.persistentHistory]),
    .term(
      "date",
      synonyms: ["dates", "timestamp", "NSDate", "timeIntervalSinceReferenceDate", "seconds since 2001"],
      """
      The store keeps dates as seconds since 2001-01-01 00:00 UTC. JSON, CSV and SQL show them in UTC with a fixed \
      width ('2026-03-22T15:00:00.500000Z'); tables shorten them: Mar 22 15:00.
      """,
      advice: """
        In SQL and '--where', dates compare and sort by time, however they are written: '2026-03-20', \
        '2026-03-20 12:00', '2026-03-20T12:00:00+01:00', 'now', or a number as seconds since 2001. Convert \
        seconds since 1970 with datetime(SECONDS, 'unixepoch').
        """,
      certainty: .documented,
      sources: ["https://developer.apple.com/documentation/foundation/nsdate/timeintervalsincereferencedate"]),
    .term(
      "transaction author",
      synonyms: ["author"],
      """
      The name that a context saves with, recorded in each transaction. The mirror's authors are \
      NSCloudKitMirroringDelegate.import, .export, .reset, .setup, .migration and .event.
      """,
      causes: ["A transaction has no author if the code doesn't set one; the mirror exports it anyway"],
      advice: """
        Give every context, also in extensions, its own transactionAuthor, and check with 'storescope \
        history STORE --by author'.
        """,
      certainty: .observed,
      sources: [ExplanationSource.coreData("nsmanagedobjectcontext/transactionauthor")]),
    .term(
      "history token",
      synonyms: [
        "token", "last history token", "last-history token", "NSPersistentHistoryToken",
        "NSCloudKitMirroringDelegateLastHistoryTokenKey",
      ],
      """
      The mirror's bookmark in persistent history: the number of the last transaction that it has processed, \
      with the store's UUID.
      """,
      causes: [
        "Current or behind: normal, with nothing or something left to process",
        "Missing: mirroring wasn't set up yet, or a resync removed it so that all of history is processed again",
        "Expired or ahead: the transaction that it names isn't in the store",
        "Foreign: it has another store's UUID",
      ], listed: .states,
      advice: """
        'storescope mirror STORE' shows the token's state. An expired token makes the next launch delete the local \
        rows and download everything.
        """,
      certainty: .inferred,
      sources: [ExplanationSource.coreData("nspersistenthistorytoken"), ExplanationSource.historyPurgeReport]),
    .term(
      "unanalyzed",
      synonyms: [
        "unanalyzed change", "backlog", "history backlog", "not analyzed", "processed", "not processed yet",
      ],
      """
      Changes that the app saved after the history token's transaction: the mirror hasn't processed them \
      yet, so no record is flagged for upload.
      """,
      causes: ["The app saved after the last export, which is normal", "Exports don't run"],
      advice: """
        'storescope pending STORE' counts them together with flagged records, because flags alone miss them.
        """,
      resolves: .yes("The next export processes them."),
      certainty: .inferred, sources: [ExplanationSource.tn3163]),
    .term(
      "tombstone",
      synonyms: ["tombstones of deletes"],
      """
      Values of a deleted object that persistent history keeps, for attributes marked Preserve After \
      Deletion in the model.
      """,
      advice: """
        'storescope history STORE' shows them with each deletion; preserve the attribute that identifies an object \
        across devices.
        """,
      certainty: .documented, sources: [ExplanationSource.persistentHistory]),
    .term(
      "temporary object ID",
      synonyms: ["temporary ID", "temporary objectID", "isTemporaryID"],
      """
      The identifier of an object before its first save; its URI is x-coredata:///Entity/t followed by a \
      UUID. After the save it no longer refers to anything.
      """,
      causes: ["Code stored or passed on the ID or its URI before saving the object"],
      advice: """
        Save, or call obtainPermanentIDs, before keeping an ID; the finding temporary-object-id shows where \
        a store contains these URIs.
        """,
      resolves: .no("A stored temporary ID can't be resolved anymore."),
      certainty: .observed, sources: [ExplanationSource.coreData("nsmanagedobjectid/istemporaryid")]),
    .term(
      "object URI",
      synonyms: ["URI", "objectID URI", "uriRepresentation", "x-coredata"],
      """
      The address of an object in one store: x-coredata://STORE-UUID/Entity/pNUMBER. The number is the \
      row's key, which differs from device to device.
      """,
      causes: ["In an attribute that syncs, it refers to a different object, or to none, on other devices"],
      advice: "Use your own identifier in mirrored entities; 'storescope show STORE URI' shows the object.",
      certainty: .observed, sources: [ExplanationSource.coreData("nsmanagedobjectid/urirepresentation()")]),
    .term(
      "Z_PRIMARYKEY",
      synonyms: ["Z_ENT", "entity number", "Z_MAX", "Z_NAME"],
      """
      Core Data's table of entities: for each, its number (Z_ENT), its name, its parent, and the highest row \
      key assigned so far (Z_MAX).
      """,
      causes: [
        "Z_MAX below the highest key in use makes the next insert fail: rows were added outside Core Data"
      ],
      advice: """
        Don't rely on entity numbers across model versions; 'storescope repair STORE raise-max' fixes Z_MAX.
        """,
      certainty: .observed, sources: [ExplanationSource.appAuthors]),
    .term(
      "Z_PK",
      synonyms: ["primary key", "row key"],
      """
      The column with a row's key, in every Core Data table. Next to it, Z_ENT has the number of the row's entity.
      """,
      advice: "Use 'storescope rows STORE ENTITY', which shows the model's names instead.",
      certainty: .observed, sources: [ExplanationSource.appAuthors]),
    .term(
      "Z_OPT",
      synonyms: ["row version", "optimistic locking"],
      """
      The column with a row's version, in every Core Data table: a counter that increases with each save of the \
      row.
      """,
      advice: "Ignore it, unless you compare two copies of a row: the higher number is the later save.",
      certainty: .observed, sources: [ExplanationSource.appAuthors]),
    .term(
      "model cache",
      synonyms: ["Z_MODELCACHE", "cached model"],
      """
      A compressed copy of the managed object model that Core Data keeps in the store, in the table \
      Z_MODELCACHE. storescope reads the names of entities and properties from it.
      """,
      causes: ["Missing in stores that were never opened for writing by a system that writes it"],
      advice: "If it is missing or damaged, pass the app's model with --model.",
      certainty: .observed, sources: [ExplanationSource.appAuthors]),
    .term(
      "external data",
      synonyms: ["external storage", "_EXTERNAL_DATA", "allows external storage", "_SUPPORT"],
      """
      Large values that Core Data keeps in separate files, in the folder .NAME_SUPPORT/_EXTERNAL_DATA next \
      to the store; the row has only the file's name.
      """,
      causes: ["Copying the store without the folder loses them"],
      advice: """
        Copy a store's whole folder; the findings external-data-missing and external-data-orphaned list \
        missing and orphaned files.
        """,
      certainty: .observed,
      sources: [ExplanationSource.coreData("nsattributedescription/allowsexternalbinarydatastorage")]),
    .term(
      "WAL",
      synonyms: ["write-ahead log", "-wal", "wal file"],
      """
      SQLite's write-ahead log, the file NAME-wal next to the store. Commits are written there first, so a \
      copy of the store without it lacks the newest changes.
      """,
      advice: "Always copy the store and its -wal together; storescope reads both without changing either.",
      certainty: .documented, sources: [ExplanationSource.writeAheadLog]),
    .term(
      "checkpoint",
      synonyms: ["wal checkpoint"],
      """
      SQLite's move of commits from the -wal file into the store's main file. The last program to close the store \
      makes one and deletes the -wal; one made in between leaves the -wal as large as it is. Most tools cause \
      one just by opening a store for writing.
      """,
      advice: """
        To free the -wal's space, quit the app: its last connection makes a checkpoint and deletes the -wal. For a \
        copy, sqlite3 COPY 'PRAGMA wal_checkpoint(TRUNCATE)' does the same. To look at a store without a checkpoint, \
        use a tool that makes none; 'storescope size STORE' shows what one would free.
        """,
      certainty: .documented, sources: [ExplanationSource.writeAheadLog]),
    .term(
      "query generation",
      synonyms: ["query generations", "pinned context"],
      """
      A stable view of the database that a context can be pinned to, so imports don't change what it shows. \
      It needs WAL journaling.
      """,
      causes: [
        "The message 'Unsupported feature in this configuration' means that the store isn't in WAL mode"
      ],
      advice: """
        Keep the store in WAL mode if contexts are pinned; the finding journal-not-wal reports any other mode.
        """,
      certainty: .documented, sources: [ExplanationSource.queryGenerations]),
  ]
}
