extension Terms {
  /// The store as a file, and its history.
  static let history = Explanation.terms(
    """
    Term: store size
    Also: size, bloat, file size, disk space, disk usage, storage, large store, history bloat, vacuum, free pages,
      freelist
    Meaning: The bytes of the store's main file, of its WAL, and of the files next to it that hold large values.
      Unused pages stay in the main file until it is vacuumed.
    Cause: Persistent history that is never pruned
    Cause: Large binary values kept in rows
    Cause: Free pages after large deletions
    Cause: A WAL that is never checkpointed
    Advice: 'storescope size STORE' shows what uses the space. The rule 'history-bloat' ('storescope explain
      history-bloat') reports history that is too large, and 'storescope repair STORE prune-history' prunes it.
    Basis: documented, https://www.sqlite.org/fileformat2.html, coredata/persistent-history

    Term: persistent history
    Also: history, history tracking, persistent history tracking, ATRANSACTION, ACHANGE
    Meaning: Core Data's own log of changes in the store: which object was inserted, updated or deleted, by whom and
      when. The CloudKit mirror reads it to determine what to upload.
    Detail: It exists while NSPersistentHistoryTrackingKey is set; mirrored stores and all SwiftData stores have it
    Advice: Browse it with 'storescope history STORE'. In a mirrored store, purge only history older than at least a
      week, and never with raw SQL.
    Basis: documented, coredata/persistent-history, https://github.com/fatbobman/PersistentHistoryTrackingKit/issues/7

    Term: transaction
    Also: history transaction
    Meaning: One save, or one batch request, in persistent history. It has an increasing number, a time, an author, a
      context name, a bundle, a process, and its changes.
    Advice: See 'storescope history STORE --transaction NUMBER'. Gaps between numbers are normal after purging.
    Basis: documented, coredata/persistent-history

    Term: date
    Also: dates, timestamp, NSDate, timeIntervalSinceReferenceDate, seconds since 2001
    Meaning: The store keeps dates as seconds since 2001-01-01 00:00 UTC. JSON, CSV and SQL show them in UTC with a
      fixed width ('2026-03-22T15:00:00.500000Z'); tables shorten them: Mar 22 15:00.
    Advice: In SQL and '--where', dates compare and sort by time, however they are written: '2026-03-20', '2026-03-20
      12:00', '2026-03-20T12:00:00+01:00', 'now', or a number as seconds since 2001. Convert seconds since 1970 with
      datetime(SECONDS, 'unixepoch').
    Basis: documented, foundation/nsdate/timeintervalsincereferencedate

    Term: transaction author
    Also: author
    Meaning: The name that a context saves with, recorded in each transaction. The mirror's authors are
      NSCloudKitMirroringDelegate.import, .export, .reset, .setup, .migration and .event.
    Detail: A transaction has no author if the code doesn't set one; the mirror exports it anyway
    Advice: Give every context, also in extensions, its own transactionAuthor, and check with 'storescope history
      STORE --by author'.
    Basis: observed, coredata/nsmanagedobjectcontext/transactionauthor

    Term: history token
    Also: token, last history token, last-history token, NSPersistentHistoryToken,
      NSCloudKitMirroringDelegateLastHistoryTokenKey
    Meaning: The mirror's bookmark in persistent history: the number of the last transaction that it has processed,
      with the store's UUID.
    State: Current or behind: normal, with nothing or something left to process
    State: Missing: mirroring wasn't set up yet, or a resync removed it so that all of history is processed again
    State: Expired or ahead: the transaction that it names isn't in the store
    State: Foreign: it has another store's UUID
    Advice: 'storescope mirror STORE' shows the token's state. An expired token makes the next launch delete the local
      rows and download everything.
    Basis: inferred, coredata/nspersistenthistorytoken,
      https://github.com/fatbobman/PersistentHistoryTrackingKit/issues/7

    Term: unanalyzed
    Also: unanalyzed change, backlog, history backlog, not analyzed, processed, not processed yet
    Meaning: Changes that the app saved after the history token's transaction: the mirror hasn't processed them yet,
      so no record is flagged for upload.
    Cause: The app saved after the last export, which is normal
    Cause: Exports don't run
    Advice: 'storescope pending STORE' counts them together with flagged records, because flags alone miss them.
    Passes: The next export processes them.
    Basis: inferred, technotes/tn3163-understanding-the-synchronization-of-nspersistentcloudkitcontainer

    Term: tombstone
    Also: tombstones of deletes
    Meaning: Values of a deleted object that persistent history keeps, for attributes marked Preserve After Deletion
      in the model.
    Advice: 'storescope history STORE' shows them with each deletion; preserve the attribute that identifies an object
      across devices.
    Basis: documented, coredata/persistent-history

    Term: temporary object ID
    Also: temporary ID, temporary objectID, isTemporaryID
    Meaning: The identifier of an object before its first save; its URI is x-coredata:///Entity/t followed by a UUID.
      After the save it no longer refers to anything.
    Cause: Code stored or passed on the ID or its URI before saving the object
    Advice: Save, or call obtainPermanentIDs, before keeping an ID; the finding temporary-object-id shows where a
      store contains these URIs.
    Stays: A stored temporary ID can't be resolved anymore.
    Basis: observed, coredata/nsmanagedobjectid/istemporaryid

    Term: object URI
    Also: URI, objectID URI, uriRepresentation, x-coredata
    Meaning: The address of an object in one store: x-coredata://STORE-UUID/Entity/pNUMBER. The number is the row's
      key, which differs from device to device.
    Detail: In an attribute that syncs, it refers to a different object, or to none, on other devices
    Advice: Use your own identifier in mirrored entities; 'storescope show STORE URI' shows the object.
    Basis: observed, coredata/nsmanagedobjectid/urirepresentation()

    Term: Z_PRIMARYKEY
    Also: Z_ENT, entity number, Z_MAX, Z_NAME
    Meaning: Core Data's table of entities: for each, its number (Z_ENT), its name, its parent, and the highest row
      key assigned so far (Z_MAX).
    Detail: Z_MAX below the highest key in use makes the next insert fail: rows were added outside Core Data
    Advice: Don't rely on entity numbers across model versions; 'storescope repair STORE raise-max' fixes Z_MAX.
    Basis: observed, reports of app authors

    Term: Z_PK
    Also: primary key, row key
    Meaning: The column with a row's key, in every Core Data table. Next to it, Z_ENT has the number of the row's
      entity.
    Advice: Use 'storescope rows STORE ENTITY', which shows the model's names instead.
    Basis: observed, reports of app authors

    Term: Z_OPT
    Also: row version, optimistic locking
    Meaning: The column with a row's version, in every Core Data table: a counter that increases with each save of the
      row.
    Advice: Ignore it, unless you compare two copies of a row: the higher number is the later save.
    Basis: observed, reports of app authors

    Term: model cache
    Also: Z_MODELCACHE, cached model
    Meaning: A compressed copy of the managed object model that Core Data keeps in the store, in the table
      Z_MODELCACHE. storescope reads the names of entities and properties from it.
    Detail: Missing in stores that were never opened for writing by a system that writes it
    Advice: If it is missing or damaged, pass the app's model with --model.
    Basis: observed, reports of app authors

    Term: external data
    Also: external storage, _EXTERNAL_DATA, allows external storage, _SUPPORT
    Meaning: Large values that Core Data keeps in separate files, in the folder .NAME_SUPPORT/_EXTERNAL_DATA next to
      the store; the row has only the file's name.
    Detail: Copying the store without the folder loses them
    Advice: Copy a store's whole folder; the findings external-data-missing and external-data-orphaned list missing
      and orphaned files.
    Basis: observed, coredata/nsattributedescription/allowsexternalbinarydatastorage

    Term: WAL
    Also: write-ahead log, -wal, wal file
    Meaning: SQLite's write-ahead log, the file NAME-wal next to the store. Commits are written there first, so a copy
      of the store without it lacks the newest changes.
    Advice: Always copy the store and its -wal together; storescope reads both without changing either.
    Basis: documented, https://www.sqlite.org/wal.html

    Term: checkpoint
    Also: wal checkpoint
    Meaning: SQLite's move of commits from the -wal file into the store's main file. The last program to close the
      store makes one and deletes the -wal; one made in between leaves the -wal as large as it is. Most tools cause
      one just by opening a store for writing.
    Advice: To free the -wal's space, quit the app: its last connection makes a checkpoint and deletes the -wal. For a
      copy, sqlite3 COPY 'PRAGMA wal_checkpoint(TRUNCATE)' does the same. To look at a store without a checkpoint, use
      a tool that makes none; 'storescope size STORE' shows what one would free.
    Basis: documented, https://www.sqlite.org/wal.html

    Term: query generation
    Also: query generations, pinned context
    Meaning: A stable view of the database that a context can be pinned to, so imports don't change what it shows. It
      needs WAL journaling.
    Detail: The message 'Unsupported feature in this configuration' means that the store isn't in WAL mode
    Advice: Keep the store in WAL mode if contexts are pinned; the finding journal-not-wal reports any other mode.
    Basis: documented, coredata/accessing-data-when-the-store-changes
    """)
}
