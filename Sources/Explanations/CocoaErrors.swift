/// The codes of NSCocoaErrorDomain that concern a store and its mirror, in order.
enum CocoaErrors {
  static let domain = "NSCocoaErrorDomain"

  /// Those that mirrors meet most, first.
  static let lists: [@Sendable () -> [Explanation]] = [
    { mirroring }, { connections }, { stores }, { migration }, { files }, { validation }, { archives },
    { unknown },
  ]

  static let all = lists.flatMap { $0() }.sorted { ($0.code ?? 0) < ($1.code ?? 0) }

  /// Codes between known ones, and codes that are known to be used, whose meaning isn't known.
  private static let unknown: [Explanation] =
    (134_092...134_098).map {
      .unknown(
        $0, "No public meaning; the codes around it are about other processes, predicates and SQL.")
    }
    + (134_181...134_185).map { .unknown($0, "No public meaning; the code before it, 134180, is SQLite's.") }
    + [134_401, 134_408, 134_414, 134_503].map {
      .unknown($0, "Meaning not known; the codes around it belong to the CloudKit mirror.")
    }

  /// Damaged archives; the mirror keeps its tokens and records as such.
  private static let archives: [Explanation] = [
    .foundation(
      4864, "NSCoderReadCorruptError",
      "An archive could not be read because its content is damaged.",
      causes: [
        "A transformable attribute holds data that its transformer doesn't expect",
        "In the mirror: a token, record or share archive is damaged",
      ],
      advice: "'storescope mirror STORE' shows which of the mirror's archives can't be read.",
      resolves: .no("The damaged value remains until it is replaced.")),
    .foundation(
      4865, "NSCoderValueNotFoundError",
      "An archive lacks a requested value.",
      causes: [
        "Another version of the class made the archive",
        "In the mirror: an archive is damaged or of another kind",
      ],
      advice: "'storescope mirror STORE' shows which of the mirror's archives can't be read.",
      resolves: .no("The value is missing until the archive is replaced.")),
    .foundation(
      4866, "NSCoderInvalidValueError",
      "A value can't be archived because it isn't valid.",
      causes: ["A transformable attribute was given a value that can't be archived"],
      advice: "Check the attribute's transformer and its allowed classes.",
      resolves: .no("The value has to be corrected.")),
  ]

  private static let splitZones =
    "In an export of a mirrored store: related objects are in two different record zones"

  /// Objects, saves and opening.
  private static let stores: [Explanation] = [
    .coreData(
      132000, "NSManagedObjectContextLockingError",
      "A managed object context could not get a lock it needed.",
      causes: [
        "A context is used from the wrong thread or queue",
        "Two contexts wait for each other",
      ],
      advice: """
        Use every context inside perform or performAndWait, and run the app once with the argument \
        -com.apple.CoreData.ConcurrencyDebug 1.
        """,
      resolves: .no("It recurs until the app's use of contexts is corrected.")),
    .coreData(
      132010, "NSPersistentStoreCoordinatorLockingError",
      "The persistent store coordinator could not get a lock it needed.",
      causes: ["A very long or blocked operation holds the coordinator", "Another process holds the store"],
      advice: """
        Sample the hanging app to find the operation that holds the coordinator, and let only one process \
        write at a time.
        """,
      resolves: .sometimes("It passes when the other operation or process finishes.")),
    .coreData(
      133000, "NSManagedObjectReferentialIntegrityError",
      """
      Core Data was asked for an object whose row doesn't exist. If this happens during an export, the \
      mirror deletes the record on the server.
      """,
      causes: [
        "The object was deleted elsewhere while a fault for it was still held",
        "The row was removed with raw SQL, bypassing Core Data and its history",
        "Record metadata or a relationship still refers to a row that is gone",
      ],
      advice: """
        Check the findings record-orphaned and history-change-without-row in 'storescope doctor STORE' before the \
        app syncs again.
        """,
      resolves: .no("The missing row doesn't come back on its own."), certainty: .inferred),
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
      "A save found a newer version of the same object, and the merge policy could not reconcile the two.",
      causes: [
        "The context uses the default merge policy, which fails on every conflict",
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
        Merge duplicates in code; a model mirrored to CloudKit can't have uniqueness constraints at all.
        """,
      resolves: .no("The duplicates remain until code removes them."),
      sources: [ExplanationSource.cloudKitModel]),
    .coreData(
      134000, "NSPersistentStoreInvalidTypeError",
      "Core Data doesn't recognize the type, format or version of the store.",
      causes: [
        "The store type is misspelled or its class isn't registered",
        "The file isn't a store, or its beginning is damaged",
      ],
      advice:
        "Check the type in the store description, and look at the file with 'storescope summary STORE'.",
      resolves: .no("The file or the type has to change.")),
    .coreData(
      134010, "NSPersistentStoreTypeMismatchError",
      "The store's type isn't the type it was opened as.",
      causes: ["The store description has a different type than the file"],
      advice: "Open it with the type it was created with, or migrate it to the new type.",
      resolves: .no("The type has to be corrected.")),
    .coreData(
      134020, "NSPersistentStoreIncompatibleSchemaError",
      "The database doesn't have the tables or columns that Core Data expects, or can't be written.",
      causes: [
        "The file was deleted or replaced while the app had it open",
        """
        Tables were changed by hand or by an interrupted migration; a fetch of a missing table or column ends in 256 \
        instead
        """,
        "The app has no permission to write the file",
      ],
      advice: """
        Run 'storescope doctor STORE' for the integrity and schema findings, and never replace the file of a \
        loaded store.
        """,
      resolves: .no("The database has to be repaired or replaced.")),
    .coreData(
      134030, "NSPersistentStoreSaveError",
      "A save failed because of something that the store depends on.",
      causes: [
        "The disk is full",
        "The file is locked by data protection or permissions",
        "The disk reported an error",
      ],
      advice: "Read the underlying error, which usually comes from SQLite or the file system.",
      resolves: .sometimes("It passes when space, the device's lock state or permissions change.")),
    .coreData(
      134040, "NSPersistentStoreIncompleteSaveError",
      "One or more of the coordinator's stores failed during a save.",
      causes: [
        "\(splitZones) (finding relationship-across-zones)",
        "One of several stores could not be written: a full disk, a lock or missing permissions",
      ],
      advice: """
        In a mirrored store, check 'relationship-across-zones' in 'storescope doctor STORE'. Otherwise the error's \
        userInfo lists the stores and objects that failed; resolve their errors.
        """,
      resolves: .no("The objects have to be changed, or saved again."),
      certainty: .observed, sources: [ExplanationSource.appAuthors]),
    .coreData(
      134050, "NSPersistentStoreSaveConflictsError",
      "A save had merge conflicts that weren't resolved.",
      causes: [
        "The context has no merge policy that resolves conflicts",
        "An import and the app changed the same objects",
      ],
      advice: "Set a merge policy; the error's userInfo lists the conflicts.",
      resolves: .no("The save has to be repeated with a policy or fresh objects.")),
    .coreData(
      134060, "NSCoreDataError",
      """
      A Core Data error without a more specific code. In exports of a mirrored store it most often means related \
      objects in different record zones, and in setups a model that isn't compatible with CloudKit.
      """,
      causes: [
        "\(splitZones) (finding relationship-across-zones)",
        """
        In setup, at every launch: the model breaks a rule of CloudKit (uniqueness constraint, ordered \
        relationship, required relationship, missing inverse, Deny rule, required attribute without \
        default)
        """,
        "In a store written by iOS 26 or macOS 26: an asset row of the mirror has no data",
      ],
      advice: """
        Check 'relationship-across-zones' and 'cloudkit-model-incompatible' in 'storescope doctor STORE'. If it \
        reports neither, read the failure reason in the log, and compare the model with Apple's rules.
        """,
      resolves: .no("The model or the objects have to change."),
      certainty: .observed, sources: [ExplanationSource.cloudKitModel]),
    .coreData(
      134070, "NSPersistentStoreOperationError",
      "An operation of the store failed.",
      causes: [
        "A store reached through another process rejected the request or sent an unreadable response",
        "The disk or the database reported an error",
      ],
      advice: "Read the underlying error and check the permissions of the process that owns the store.",
      resolves: .sometimes("It depends on the underlying error.")),
    .coreData(
      134080, "NSPersistentStoreOpenError",
      "The store could not be opened.",
      causes: [
        "The file or its folder is missing",
        "Permissions or data protection prevent it",
        "The file is damaged or isn't a database",
      ],
      advice: "Check the path and permissions, then look at the file with 'storescope summary STORE'.",
      resolves: .sometimes("It passes if the device is unlocked or the file is restored.")),
    .coreData(
      134090, "NSPersistentStoreTimeoutError",
      "Core Data could not reach the store within the time that NSPersistentStoreTimeoutOption sets.",
      causes: ["The store is on a slow or unreachable volume", "Another process blocks it"],
      advice: "Raise the timeout only after finding what blocks the store.",
      resolves: .sometimes("It passes when the store can be reached again.")),
    .coreData(
      134091, "NSPersistentStoreUnsupportedRequestTypeError",
      "The store doesn't support the type of request it was sent.",
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
