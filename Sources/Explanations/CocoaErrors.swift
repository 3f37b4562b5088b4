/// The codes of NSCocoaErrorDomain that concern a store and its mirror, in order.
enum CocoaErrors {
  static let domain = "NSCocoaErrorDomain"

  static let all = (archives + stores + migration + mirroring + unknown).sorted {
    ($0.code ?? 0) < ($1.code ?? 0)
  }

  /// Codes that lie between known ones, or are known to be used, and whose meaning isn't.
  private static let unknown: [Explanation] =
    (134_092...134_098).map {
      .unknown(
        $0, "No public meaning; what is known lies around stores of other processes, predicates and SQL.")
    } + (134_181...134_185).map { .unknown($0, "No public meaning; its neighbor 134180 is SQLite's.") }
    + [134_401, 134_408, 134_414, 134_503].map {
      .unknown($0, "Meaning not known; its neighbors belong to the CloudKit mirror.")
    }

  /// Damaged archives; the mirror keeps its tokens and records as such.
  private static let archives: [Explanation] = [
    .foundation(
      4864, "NSCoderReadCorruptError",
      "An archive could not be read because its content is damaged.",
      causes: [
        "A transformable attribute holds data of another kind than its transformer expects",
        "In the mirror: a token, record or share archive is damaged",
      ],
      advice: "`storescope mirror` shows which of the mirror's archives can't be read.",
      resolves: .no("The damaged value stays until it is replaced.")),
    .foundation(
      4865, "NSCoderValueNotFoundError",
      "An archive lacks a value that was asked for.",
      causes: [
        "The archive was made by another version of the class",
        "In the mirror: an archive is damaged or of another kind",
      ],
      advice: "`storescope mirror` shows which of the mirror's archives can't be read.",
      resolves: .no("The value stays missing until the archive is replaced.")),
    .foundation(
      4866, "NSCoderInvalidValueError",
      "A value that was to be archived is not valid.",
      causes: ["A transformable attribute was given a value that can't be archived"],
      advice: "Check the attribute's transformer and its allowed classes.",
      resolves: .no("The value has to be corrected.")),
  ]

  /// Objects, saves and opening.
  private static let stores: [Explanation] = [
    .coreData(
      132000, "NSManagedObjectContextLockingError",
      "A managed object context could not get a lock it needed.",
      causes: [
        "A context is used from a thread or queue that isn't its own",
        "Two contexts wait for each other",
      ],
      advice: """
        Use every context inside perform or performAndWait, and run once with the argument \
        -com.apple.CoreData.ConcurrencyDebug 1.
        """,
      resolves: .no("It comes back until the app's use of contexts is corrected.")),
    .coreData(
      132010, "NSPersistentStoreCoordinatorLockingError",
      "The persistent store coordinator could not get a lock it needed.",
      causes: ["A very long or blocked operation holds the coordinator", "Another process holds the store"],
      advice: """
        Find the operation that holds the coordinator in a sample of the hanging app, and let only one \
        process write at a time.
        """,
      resolves: .sometimes("It passes when the other holder lets go.")),
    .coreData(
      133000, "NSManagedObjectReferentialIntegrityError",
      """
      Core Data was asked for an object whose row doesn't exist. When the mirror meets this while \
      exporting, it deletes the record on the server.
      """,
      causes: [
        "The object was deleted elsewhere while a fault for it was still held",
        "The row was removed with raw SQL, bypassing Core Data and its history",
        "Record metadata or a relationship still names a row that is gone",
      ],
      advice: """
        Look at the findings record-orphaned and history-change-without-row of `storescope doctor` before \
        the app syncs again.
        """,
      resolves: .no("The missing row doesn't come back by itself."), certainty: .inferred),
    .coreData(
      133010, "NSManagedObjectExternalRelationshipError",
      "An object being saved has a relationship to an object in another store.",
      causes: [
        "Related objects were assigned to different stores",
        "The model's configurations split entities that have relationships",
      ],
      advice: """
        Keep related entities in one store, or link the stores with an identifier or a fetched property.
        """,
      resolves: .no("Every save of these objects fails.")),
    .coreData(
      133020, "NSManagedObjectMergeError",
      "A save met a newer version of the same object, and the merge policy could not reconcile the two.",
      causes: [
        "The context keeps the default policy, which refuses every conflict",
        "An import and the app changed the same object",
        "The context held stale objects",
      ],
      advice: """
        Set a merge policy on every context that saves, and automaticallyMergesChangesFromParent on the view \
        context.
        """,
      resolves: .no("The save has to be repeated with a policy or fresh objects.")),
    .coreData(
      133021, "NSManagedObjectConstraintMergeError",
      "A save violated a uniqueness constraint, and the merge policy could not resolve it.",
      causes: [
        "Two objects have the same value for the constraint",
        "The context has no merge policy that merges duplicates",
      ],
      advice: """
        Merge duplicates in code; a model that is mirrored to CloudKit can't have uniqueness constraints at \
        all.
        """,
      resolves: .no("The duplicates stay until code removes them."),
      sources: [ExplanationSource.cloudKitModel]),
    .coreData(
      134000, "NSPersistentStoreInvalidTypeError",
      "Core Data doesn't know the type, format or version of the store.",
      causes: [
        "The store type is misspelled or its class isn't registered",
        "The file is not a store, or is damaged at its beginning",
      ],
      advice: "Check the type in the store description, and look at the file with `storescope summary`.",
      resolves: .no("The file or the type has to change.")),
    .coreData(
      134010, "NSPersistentStoreTypeMismatchError",
      "The store is of another type than the one it was opened as.",
      causes: ["The store description names another type than the file has"],
      advice: "Open it with the type that made it, or migrate it to the new type.",
      resolves: .no("The type has to be corrected.")),
    .coreData(
      134020, "NSPersistentStoreIncompatibleSchemaError",
      "The database doesn't have the tables or columns that Core Data expects, or can't be written.",
      causes: [
        "The file was deleted or exchanged while the app had it open",
        "Tables were changed by hand or by an interrupted migration",
        "The app has no permission to write the file",
      ],
      advice: """
        Run `storescope doctor` for the integrity and schema findings, and never exchange the file of a \
        loaded store.
        """,
      resolves: .no("The database has to be repaired or replaced.")),
    .coreData(
      134030, "NSPersistentStoreSaveError",
      "Something that the store depends on failed during a save.",
      causes: [
        "The disk is full",
        "The file is locked by data protection or permissions",
        "The disk reported an error",
      ],
      advice: "Read the underlying error, which usually is one of SQLite's or of the file system's.",
      resolves: .sometimes("It passes when space, the device's lock state or permissions change.")),
    .coreData(
      134040, "NSPersistentStoreIncompleteSaveError",
      "One or more of the coordinator's stores failed during a save.",
      causes: ["One of several stores could not be written"],
      advice: "The error's userInfo names the stores and objects that failed; deal with their own errors.",
      resolves: .no("What failed has to be saved again.")),
    .coreData(
      134050, "NSPersistentStoreSaveConflictsError",
      "A save met merge conflicts that nothing resolved.",
      causes: [
        "The context has no merge policy that resolves conflicts",
        "An import and the app changed the same objects",
      ],
      advice: "Set a merge policy; the conflicts themselves are listed in the error's userInfo.",
      resolves: .no("The save has to be repeated with a policy or fresh objects.")),
    .coreData(
      134060, "NSCoreDataError",
      """
      A Core Data error without a code of its own. In a mirrored store it most often says that CloudKit \
      can't take the model.
      """,
      causes: [
        """
        In setup, at every launch: the model breaks a rule of CloudKit (uniqueness constraint, ordered \
        relationship, required relationship, missing inverse, Deny rule, required attribute without \
        default)
        """,
        "In an export: objects that are related to each other lie in two record zones",
        "In a store of the 26 systems: an asset row of the mirror has no data",
      ],
      advice: """
        Read the failure reason in the log, then compare the model with Apple's rules; `storescope doctor` \
        reports cloudkit-model-incompatible where the store itself shows it.
        """,
      resolves: .no("The model or the objects have to change."),
      certainty: .observed, sources: [ExplanationSource.cloudKitModel]),
    .coreData(
      134070, "NSPersistentStoreOperationError",
      "An operation of the store failed.",
      causes: [
        "A store reached through another process refused the request or answered something unreadable",
        "The disk or the database reported an error",
      ],
      advice: "Read the underlying error and check the permissions of the process that owns the store.",
      resolves: .sometimes("It depends on the underlying error.")),
    .coreData(
      134080, "NSPersistentStoreOpenError",
      "The store could not be opened.",
      causes: [
        "The file or its folder is missing",
        "Permissions or data protection forbid it",
        "The file is damaged or no database",
      ],
      advice: "Check path and permissions, then look at the file with `storescope summary`.",
      resolves: .sometimes("It passes if the device was locked or the file comes back.")),
    .coreData(
      134090, "NSPersistentStoreTimeoutError",
      "Core Data could not reach the store within the time that NSPersistentStoreTimeoutOption sets.",
      causes: ["The store lies on a slow or unreachable volume", "Another process blocks it"],
      advice: "Raise the timeout only after finding what blocks the store.",
      resolves: .sometimes("It passes when the store can be reached again.")),
    .coreData(
      134091, "NSPersistentStoreUnsupportedRequestTypeError",
      "The store was sent a kind of request that it doesn't understand.",
      causes: [
        "Persistent history was requested from a store that doesn't track it",
        "A batch request was sent to a store that isn't SQLite",
      ],
      advice: """
        Set NSPersistentHistoryTrackingKey to true for every open of a mirrored store, in extensions too, \
        and never turn it off again.
        """,
      resolves: .no("The option or the request has to change.")),
  ]
}
