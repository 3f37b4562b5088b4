extension CocoaErrors {
  /// Migration, SQLite and history.
  static let migration = errors(
    """
    Code: 134100 NSPersistentStoreIncompatibleVersionHashError
    Meaning: The store was written with a different version of the model than the one it was opened with.
    Cause: The model was changed without a new version or without migration
    Cause: An older build opened a store that a newer one had migrated
    Cause: The wrong model, or a merge of models, was loaded
    Advice: Add a model version instead of editing a shipped one, and allow lightweight migration.
    Stays: The store has to be migrated.

    Code: 134110 NSMigrationError
    Meaning: A migration failed.
    Cause: In a mirrored store: the new model renames an entity or a relationship ("CloudKit integration forbids
      renaming")
    Cause: The data doesn't fit the new model
    Cause: The disk was full or the app was killed
    Cause: A migration policy or a mapping reported an error
    Advice: Read the underlying error; keep the old store until the new one has been opened.
    May pass: The next launch tries again, but often fails the same way.

    Code: 134111 NSMigrationConstraintViolationError
    Meaning: A migration found rows that violate a constraint.
    Cause: The new model has a uniqueness constraint and the rows contain duplicates
    Cause: In a mirrored store: mirror metadata of removed or renumbered entities collides (UNIQUE constraint failed:
      ANSCKRECORDMETADATA…)
    Advice: Remove the duplicates first; in a mirrored store, check the findings record-entity-unknown and
      record-object-duplicated in 'storescope doctor STORE'.
    Stays: The rows have to be cleaned up before the migration.

    Code: 134120 NSMigrationCancelledError
    Meaning: The app canceled a migration.
    Cause: Code canceled the migration manager
    Advice: Run the migration again.
    Passes: The next attempt starts from the unchanged source store.

    Code: 134130 NSMigrationMissingSourceModelError
    Meaning: The model that the store was written with could not be found.
    Cause: The old model version was removed from the app
    Cause: A shipped model version was edited, which changed its hashes
    Advice: Restore the old version in the app; the store keeps its hashes, and often the model itself, which
      storescope shows.
    Stays: The model has to be supplied.

    Code: 134140 NSMigrationMissingMappingModelError
    Meaning: No mapping from the store's model to the new one was found.
    Cause: The change is too large for an inferred mapping and no mapping model is in the app
    Advice: Supply a mapping model, or split the change into steps that lightweight migration can handle.
    Stays: A mapping has to be supplied.

    Code: 134150 NSMigrationManagerSourceStoreError
    Meaning: The migration had a problem with the store it reads from.
    Cause: The source is damaged, missing or can't be read
    Advice: Check the source with 'storescope doctor STORE' before migrating.
    Stays: The source has to be repaired.

    Code: 134160 NSMigrationManagerDestinationStoreError
    Meaning: The migration had a problem with the store it writes to.
    Cause: The disk is full or the folder can't be written
    Cause: A file already exists at the destination
    Advice: Free disk space, and remove leftovers of earlier attempts.
    May pass: It passes when there is disk space.

    Code: 134170 NSEntityMigrationPolicyError
    Meaning: A custom migration policy reported an error.
    Cause: The app's own NSEntityMigrationPolicy failed on some object
    Advice: Find the policy and the object in the underlying error.
    Stays: The policy has to be corrected.

    Code: 134180 NSSQLiteError
    Meaning: SQLite reported an error.
    Cause: The disk is full or failing
    Cause: The database is damaged
    Cause: The file was deleted or replaced while open
    Cause: Another process locked it
    Advice: The userInfo has SQLite's error code under NSSQLiteErrorDomain; run 'storescope doctor STORE' on the file.
    May pass: A lock or a full disk passes; damage doesn't.
    Basis: documented, coredata/nssqliteerror, https://www.sqlite.org/rescode.html

    Code: 134190 NSInferredMappingModelError
    Meaning: Core Data could not infer how to migrate from the old model to the new one.
    Cause: An entity or property was renamed without a renaming identifier
    Cause: Lightweight migration doesn't support a change
    Advice: Set renaming identifiers, or supply a mapping model.
    Stays: The model or a mapping has to be supplied.

    Code: 134200 NSExternalRecordImportError
    Meaning: Importing external records failed.
    Cause: A store uses external records, a feature of old macOS versions
    Advice: Turn external records off; nothing newer uses them.
    Stays: The option has to be removed.

    Code: 134301 NSPersistentHistoryTokenExpiredError
    Meaning: The transaction that a history token refers to is no longer in the store. The mirror then deletes every
      mirrored local row and downloads everything again.
    Cause: The app purged persistent history that the mirror had not read, or purged the token's transaction
    Cause: The store was replaced by an older copy
    Cause: History was deleted with raw SQL
    Advice: Don't launch the app: back up the store and use 'storescope resync STORE --rescan', which replaces the
      wipe with a rescan of history. In the app, keep at least seven days of history.
    May pass: The mirror recovers by deleting the objects that have records and fetching them again, without their
      pending changes. Objects without a record are kept, and uploaded later.
    Basis: observed, coredata/nspersistenthistorytokenexpirederror,
      https://github.com/fatbobman/PersistentHistoryTrackingKit/issues/7

    Code: 134504 NSManagedObjectModelReferenceNotFoundError
    Meaning: Core Data could not find or create the model that a model reference refers to; the log often mentions an
      unknown model version in a staged migration.
    Cause: A model version that shipped was edited or removed
    Cause: The list of stages doesn't include the store's version
    Advice: Restore the shipped version exactly as it was; compare the hashes that 'storescope summary STORE' shows
      with the hashes of the versions in the app.
    Stays: The version has to be supplied.

    Code: 134505 NSStagedMigrationFrameworkVersionMismatchError
    Meaning: The store's metadata doesn't support staged migration.
    Cause: A system older than staged migration last wrote the store
    Advice: Open the store once with an ordinary lightweight migration, then use stages.
    Stays: The store has to be opened once without stages.

    Code: 134506 NSStagedMigrationBackwardMigrationError
    Meaning: A staged migration was asked to go backward.
    Cause: An older build opened a store that a newer one had migrated
    Cause: The stages are listed in the wrong order
    Advice: Keep the newer build, or restore a backup of the older store.
    Stays: A migrated store can't be migrated back.
    """)
}
