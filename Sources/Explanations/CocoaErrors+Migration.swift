extension CocoaErrors {
  /// Migration, SQLite and history.
  static let migration: [Explanation] = [
    .coreData(
      134100, "NSPersistentStoreIncompatibleVersionHashError",
      "The store was written with another version of the model than the one it was opened with.",
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
        "Data don't fit the new model",
        "The disk was full or the app was killed",
        "A migration policy or a mapping reported an error",
      ],
      advice: "Read the underlying error; keep the old store until the new one has been opened.",
      resolves: .sometimes("The next launch tries again, and often fails the same way.")),
    .coreData(
      134111, "NSMigrationConstraintViolationError",
      "A migration met rows that violate a constraint.",
      causes: [
        "The new model has a uniqueness constraint and the rows contain duplicates",
        """
        In a mirrored store: mirror metadata of removed or renumbered entities collide (UNIQUE constraint \
        failed: ANSCKRECORDMETADATA…)
        """,
      ],
      advice: """
        Remove the duplicates first; in a mirrored store look at the findings record-entity-unknown and \
        record-object-duplicated of `storescope doctor`.
        """,
      resolves: .no("The rows have to be cleaned up before the migration.")),
    .coreData(
      134120, "NSMigrationCancelledError",
      "A migration was cancelled by the app.",
      causes: ["Code cancelled the migration manager"],
      advice: "Run the migration again.",
      resolves: .yes("The next attempt starts from the unchanged source store.")),
    .coreData(
      134130, "NSMigrationMissingSourceModelError",
      "The model that the store was written with could not be found.",
      causes: [
        "The old model version was removed from the app",
        "A shipped model version was edited, so that its hashes changed",
      ],
      advice: """
        Put the old version back into the app; the store keeps its hashes, and often the model itself, which \
        storescope shows.
        """,
      resolves: .no("The model has to be supplied.")),
    .coreData(
      134140, "NSMigrationMissingMappingModelError",
      "No mapping from the store's model to the new one was found.",
      causes: ["The change is too large for an inferred mapping and no mapping model is in the app"],
      advice: "Supply a mapping model, or split the change into steps that lightweight migration can do.",
      resolves: .no("A mapping has to be supplied.")),
    .coreData(
      134150, "NSMigrationManagerSourceStoreError",
      "The migration had a problem with the store it reads from.",
      causes: ["The source is damaged, missing or can't be read"],
      advice: "Check the source with `storescope doctor` before migrating.",
      resolves: .no("The source has to be repaired.")),
    .coreData(
      134160, "NSMigrationManagerDestinationStoreError",
      "The migration had a problem with the store it writes to.",
      causes: [
        "The disk is full or the folder can't be written",
        "A file is already in the destination's place",
      ],
      advice: "Make room, and remove leftovers of earlier attempts.",
      resolves: .sometimes("It passes when there is room.")),
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
        "The file was deleted or exchanged while open",
        "Another process locked it",
      ],
      advice: """
        The userInfo has SQLite's own code under NSSQLiteErrorDomain; run `storescope doctor` on the file.
        """,
      resolves: .sometimes("A lock or a full disk passes, damage doesn't."),
      sources: [ExplanationSource.sqliteResultCodes]),
    .coreData(
      134190, "NSInferredMappingModelError",
      "Core Data could not infer how to get from the old model to the new one.",
      causes: [
        "An entity or property was renamed without a renaming identifier",
        "A change is beyond lightweight migration",
      ],
      advice: "Set renaming identifiers, or supply a mapping model.",
      resolves: .no("The model or a mapping has to be supplied.")),
    .coreData(
      134200, "NSExternalRecordImportError",
      "Importing external records failed.",
      causes: ["A store uses external records, a facility of old macOS versions"],
      advice: "Turn external records off; nothing newer uses them.",
      resolves: .no("The option has to go.")),
    .coreData(
      134301, "NSPersistentHistoryTokenExpiredError",
      """
      The transaction that a history token stands for is no longer in the store. When the mirror meets \
      this, it deletes every mirrored local row and downloads everything again.
      """,
      causes: [
        """
        The app purged persistent history that the mirror had not read, or purged the token's own \
        transaction
        """,
        "The store was replaced by an older copy",
        "History was deleted with raw SQL",
      ],
      advice: """
        Don't launch the app: back up the store and use `storescope resync --rescan`, which turns the wipe \
        into a new look at history; later keep at least seven days of history.
        """,
      resolves: .sometimes(
        """
        The mirror recovers by wiping and downloading; changes that were not uploaded are lost.
        """),
      certainty: .observed, sources: [ExplanationSource.historyPurgeReport]),
    .coreData(
      134504, "NSManagedObjectModelReferenceNotFoundError",
      """
      Core Data could not find or make the model that a model reference names; the log often says that \
      staged migration met an unknown model version.
      """,
      causes: [
        "A model version that shipped was edited or removed",
        "The list of stages leaves out the version of the store",
      ],
      advice: """
        Restore the shipped version exactly as it was; compare the hashes that `storescope summary` shows \
        with those of the versions in the app.
        """,
      resolves: .no("The version has to be supplied.")),
    .coreData(
      134505, "NSStagedMigrationFrameworkVersionMismatchError",
      "The store's metadata don't support staged migration.",
      causes: ["The store was last written by a system older than staged migration"],
      advice: "Open it once with an ordinary lightweight migration, then use stages.",
      resolves: .no("The store has to be opened once without stages.")),
    .coreData(
      134506, "NSStagedMigrationBackwardMigrationError",
      "A staged migration was asked to go backwards.",
      causes: [
        "An older build opened a store that a newer one had migrated",
        "The stages are listed in the wrong order",
      ],
      advice: "Keep the newer build, or go back to a backup of the older store.",
      resolves: .no("A migrated store stays migrated.")),
  ]
}
