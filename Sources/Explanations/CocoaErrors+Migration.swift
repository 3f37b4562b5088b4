extension CocoaErrors {
  /// Migration, SQLite and history.
  static let migration: [Explanation] = [
    .coreData(
      134100, "NSPersistentStoreIncompatibleVersionHashError",
      "The store was written with a different version of the model than the one it was opened with.",
      causes: [
        "The model was changed without a new version or without migration",
        "An older build opened a store that a newer one had migrated",
        "The wrong model, or a merge of models, was loaded",
      ],
      advice: "Add a model version instead of editing a shipped one, and allow lightweight migration.",
      resolves: .no("The store has to be migrated.")),
    .coreData(
      134110, "NSMigrationError",
      "A migration failed.",
      causes: [
        """
        In a mirrored store: the new model renames an entity or a relationship ("CloudKit integration forbids \
        renaming")
        """,
        "The data doesn't fit the new model",
        "The disk was full or the app was killed",
        "A migration policy or a mapping reported an error",
      ],
      advice: "Read the underlying error; keep the old store until the new one has been opened.",
      resolves: .sometimes("The next launch tries again, but often fails the same way.")),
    .coreData(
      134111, "NSMigrationConstraintViolationError",
      "A migration found rows that violate a constraint.",
      causes: [
        "The new model has a uniqueness constraint and the rows contain duplicates",
        """
        In a mirrored store: mirror metadata of removed or renumbered entities collides (UNIQUE constraint \
        failed: ANSCKRECORDMETADATA…)
        """,
      ],
      advice: """
        Remove the duplicates first; in a mirrored store, check the findings record-entity-unknown and \
        record-object-duplicated in 'storescope doctor STORE'.
        """,
      resolves: .no("The rows have to be cleaned up before the migration.")),
    .coreData(
      134120, "NSMigrationCancelledError",
      "The app canceled a migration.",
      causes: ["Code canceled the migration manager"],
      advice: "Run the migration again.",
      resolves: .yes("The next attempt starts from the unchanged source store.")),
    .coreData(
      134130, "NSMigrationMissingSourceModelError",
      "The model that the store was written with could not be found.",
      causes: [
        "The old model version was removed from the app",
        "A shipped model version was edited, which changed its hashes",
      ],
      advice: """
        Restore the old version in the app; the store keeps its hashes, and often the model itself, which \
        storescope shows.
        """,
      resolves: .no("The model has to be supplied.")),
    .coreData(
      134140, "NSMigrationMissingMappingModelError",
      "No mapping from the store's model to the new one was found.",
      causes: ["The change is too large for an inferred mapping and no mapping model is in the app"],
      advice: "Supply a mapping model, or split the change into steps that lightweight migration can handle.",
      resolves: .no("A mapping has to be supplied.")),
    .coreData(
      134150, "NSMigrationManagerSourceStoreError",
      "The migration had a problem with the store it reads from.",
      causes: ["The source is damaged, missing or can't be read"],
      advice: "Check the source with 'storescope doctor STORE' before migrating.",
      resolves: .no("The source has to be repaired.")),
    .coreData(
      134160, "NSMigrationManagerDestinationStoreError",
      "The migration had a problem with the store it writes to.",
      causes: [
        "The disk is full or the folder can't be written",
        "A file already exists at the destination",
      ],
      advice: "Free disk space, and remove leftovers of earlier attempts.",
      resolves: .sometimes("It passes when there is disk space.")),
    .coreData(
      134170, "NSEntityMigrationPolicyError",
      "A custom migration policy reported an error.",
      causes: ["The app's own NSEntityMigrationPolicy failed on some object"],
      advice: "Find the policy and the object in the underlying error.",
      resolves: .no("The policy has to be corrected.")),
    .coreData(
      134180, "NSSQLiteError",
      "SQLite reported an error.",
      causes: [
        "The disk is full or failing",
        "The database is damaged",
        "The file was deleted or replaced while open",
        "Another process locked it",
      ],
      advice: """
        The userInfo has SQLite's error code under NSSQLiteErrorDomain; run 'storescope doctor STORE' on the file.
        """,
      resolves: .sometimes("A lock or a full disk passes; damage doesn't."),
      sources: [ExplanationSource.sqliteResultCodes]),
    .coreData(
      134190, "NSInferredMappingModelError",
      "Core Data could not infer how to migrate from the old model to the new one.",
      causes: [
        "An entity or property was renamed without a renaming identifier",
        "Lightweight migration doesn't support a change",
      ],
      advice: "Set renaming identifiers, or supply a mapping model.",
      resolves: .no("The model or a mapping has to be supplied.")),
    .coreData(
      134200, "NSExternalRecordImportError",
      "Importing external records failed.",
      causes: ["A store uses external records, a feature of old macOS versions"],
      advice: "Turn external records off; nothing newer uses them.",
      resolves: .no("The option has to be removed.")),
    .coreData(
      134301, "NSPersistentHistoryTokenExpiredError",
      """
      The transaction that a history token refers to is no longer in the store. The mirror then deletes \
      every mirrored local row and downloads everything again.
      """,
      causes: [
        """
        The app purged persistent history that the mirror had not read, or purged the token's transaction
        """,
        "The store was replaced by an older copy",
        "History was deleted with raw SQL",
      ],
      advice: """
        Don't launch the app: back up the store and use 'storescope resync STORE --rescan', which replaces the \
        wipe with a rescan of history. In the app, keep at least seven days of history.
        """,
      resolves: .sometimes(
        """
        The mirror recovers by deleting the objects that have records and fetching them again, without their \
        pending changes. Objects without a record are kept, and uploaded later.
        """),
      certainty: .observed, sources: [ExplanationSource.historyPurgeReport]),
    .coreData(
      134504, "NSManagedObjectModelReferenceNotFoundError",
      """
      Core Data could not find or create the model that a model reference refers to; the log often mentions \
      an unknown model version in a staged migration.
      """,
      causes: [
        "A model version that shipped was edited or removed",
        "The list of stages doesn't include the store's version",
      ],
      advice: """
        Restore the shipped version exactly as it was; compare the hashes that 'storescope summary STORE' shows \
        with the hashes of the versions in the app.
        """,
      resolves: .no("The version has to be supplied.")),
    .coreData(
      134505, "NSStagedMigrationFrameworkVersionMismatchError",
      "The store's metadata doesn't support staged migration.",
      causes: ["A system older than staged migration last wrote the store"],
      advice: "Open the store once with an ordinary lightweight migration, then use stages.",
      resolves: .no("The store has to be opened once without stages.")),
    .coreData(
      134506, "NSStagedMigrationBackwardMigrationError",
      "A staged migration was asked to go backward.",
      causes: [
        "An older build opened a store that a newer one had migrated",
        "The stages are listed in the wrong order",
      ],
      advice: "Keep the newer build, or restore a backup of the older store.",
      resolves: .no("A migrated store can't be migrated back.")),
  ]
}
