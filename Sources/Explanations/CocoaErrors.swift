/// The codes of NSCocoaErrorDomain that concern a store and its mirror, in order.
enum CocoaErrors {
  static let domain = "NSCocoaErrorDomain"

  /// Those that mirrors meet most, first.
  static let lists: [@Sendable () -> [Explanation]] = [
    { mirroring }, { connections }, { stores }, { migration }, { files }, { validation }, { archives },
    { unknown },
  ]

  static let all = lists.flatMap { $0() }.sorted { ($0.code ?? 0) < ($1.code ?? 0) }

  /// Those that CoreDataErrors.h declares, unless there is another header.
  static func errors(_ text: String, in header: String? = nil) -> [Explanation] {
    Explanation.errors(of: domain, text) {
      [header ?? ExplanationSource.page("coredata/" + $0.lowercased())]
    }
  }

  /// Codes between known ones, and codes that are known to be used, whose meaning isn't known.
  private static let unknown = errors(
    ((134_092...134_098).map {
      unknown($0, "No public meaning; the codes around it are about other processes, predicates and SQL.")
    }
      + (134_181...134_185).map {
        unknown($0, "No public meaning; the code before it, 134180, is SQLite's.")
      }
      + [134_401, 134_408, 134_414, 134_503].map {
        unknown($0, "Meaning not known; the codes around it belong to the CloudKit mirror.")
      }).joined(separator: "\n\n"))

  private static func unknown(_ code: Int, _ meaning: String) -> String {
    """
    Code: \(code)
    Meaning: \(meaning)
    Cause: Not known
    Advice: Read the failure reason in the app's log, which the store doesn't keep.
    May pass: Not known; check whether a later event of the same type succeeded.
    """
  }

  private static let splitZones =
    "In an export of a mirrored store: related objects are in two different record zones"

  /// Objects, saves and opening.
  private static let stores = errors(
    """
    Code: 132000 NSManagedObjectContextLockingError
    Meaning: A managed object context could not get a lock it needed.
    Cause: A context is used from the wrong thread or queue
    Cause: Two contexts wait for each other
    Advice: Use every context inside perform or performAndWait, and run the app once with the argument
      -com.apple.CoreData.ConcurrencyDebug 1.
    Stays: It recurs until the app's use of contexts is corrected.

    Code: 132010 NSPersistentStoreCoordinatorLockingError
    Meaning: The persistent store coordinator could not get a lock it needed.
    Cause: A very long or blocked operation holds the coordinator
    Cause: Another process holds the store
    Advice: Sample the hanging app to find the operation that holds the coordinator, and let only one process write at
      a time.
    May pass: It passes when the other operation or process finishes.

    Code: 133000 NSManagedObjectReferentialIntegrityError
    Meaning: Core Data was asked for an object whose row doesn't exist. If this happens during an export, the mirror
      deletes the record on the server.
    Cause: The object was deleted elsewhere while a fault for it was still held
    Cause: The row was removed with raw SQL, bypassing Core Data and its history
    Cause: Record metadata or a relationship still refers to a row that is gone
    Advice: Check the findings record-orphaned and history-change-without-row in 'storescope doctor STORE' before the
      app syncs again.
    Stays: The missing row doesn't come back on its own.
    Basis: inferred, coredata/nsmanagedobjectreferentialintegrityerror

    Code: 133010 NSManagedObjectExternalRelationshipError
    Meaning: An object being saved has a relationship to an object in another store.
    Cause: Related objects were assigned to different stores
    Cause: The model's configurations split entities that have relationships
    Advice: Keep related entities in one store, or link the stores with an identifier or a fetched property.
    Stays: Every save of these objects fails.

    Code: 133020 NSManagedObjectMergeError
    Meaning: A save found a newer version of the same object, and the merge policy could not reconcile the two.
    Cause: The context uses the default merge policy, which fails on every conflict
    Cause: An import and the app changed the same object
    Cause: The context held stale objects
    Advice: Set a merge policy on every context that saves, and automaticallyMergesChangesFromParent on the view
      context.
    Stays: The save has to be repeated with a policy or fresh objects.

    Code: 133021 NSManagedObjectConstraintMergeError
    Meaning: A save violated a uniqueness constraint, and the merge policy could not resolve it.
    Cause: Two objects have the same value for the constraint
    Cause: The context has no merge policy that merges duplicates
    Advice: Merge duplicates in code; a model mirrored to CloudKit can't have uniqueness constraints at all.
    Stays: The duplicates remain until code removes them.
    Basis: documented, coredata/nsmanagedobjectconstraintmergeerror, coredata/creating-a-core-data-model-for-cloudkit

    Code: 134000 NSPersistentStoreInvalidTypeError
    Meaning: Core Data doesn't recognize the type, format or version of the store.
    Cause: The store type is misspelled or its class isn't registered
    Cause: The file isn't a store, or its beginning is damaged
    Advice: Check the type in the store description, and look at the file with 'storescope summary STORE'.
    Stays: The file or the type has to change.

    Code: 134010 NSPersistentStoreTypeMismatchError
    Meaning: The store's type isn't the type it was opened as.
    Cause: The store description has a different type than the file
    Advice: Open it with the type it was created with, or migrate it to the new type.
    Stays: The type has to be corrected.

    Code: 134020 NSPersistentStoreIncompatibleSchemaError
    Meaning: The database doesn't have the tables or columns that Core Data expects, or can't be written.
    Cause: The file was deleted or replaced while the app had it open
    Cause: Tables were changed by hand or by an interrupted migration; a fetch of a missing table or column ends in
      256 instead
    Cause: The app has no permission to write the file
    Advice: Run 'storescope doctor STORE' for the integrity and schema findings, and never replace the file of a
      loaded store.
    Stays: The database has to be repaired or replaced.

    Code: 134030 NSPersistentStoreSaveError
    Meaning: A save failed because of something that the store depends on.
    Cause: The disk is full
    Cause: The file is locked by data protection or permissions
    Cause: The disk reported an error
    Advice: Read the underlying error, which usually comes from SQLite or the file system.
    May pass: It passes when space, the device's lock state or permissions change.

    Code: 134040 NSPersistentStoreIncompleteSaveError
    Meaning: One or more of the coordinator's stores failed during a save.
    Cause: \(splitZones) (finding relationship-across-zones)
    Cause: One of several stores could not be written: a full disk, a lock or missing permissions
    Advice: In a mirrored store, check 'relationship-across-zones' in 'storescope doctor STORE'. Otherwise the error's
      userInfo lists the stores and objects that failed; resolve their errors.
    Stays: The objects have to be changed, or saved again.
    Basis: observed, coredata/nspersistentstoreincompletesaveerror, reports of app authors

    Code: 134050 NSPersistentStoreSaveConflictsError
    Meaning: A save had merge conflicts that weren't resolved.
    Cause: The context has no merge policy that resolves conflicts
    Cause: An import and the app changed the same objects
    Advice: Set a merge policy; the error's userInfo lists the conflicts.
    Stays: The save has to be repeated with a policy or fresh objects.

    Code: 134060 NSCoreDataError
    Meaning: A Core Data error without a more specific code. In exports of a mirrored store it most often means
      related objects in different record zones, and in setups a model that isn't compatible with CloudKit.
    Cause: \(splitZones) (finding relationship-across-zones)
    Cause: In setup, at every launch: the model breaks a rule of CloudKit (uniqueness constraint, ordered
      relationship, required relationship, missing inverse, Deny rule, required attribute without default)
    Cause: In a store written by iOS 26 or macOS 26: an asset row of the mirror has no data
    Advice: Check 'relationship-across-zones' and 'cloudkit-model-incompatible' in 'storescope doctor STORE'. If it
      reports neither, read the failure reason in the log, and compare the model with Apple's rules.
    Stays: The model or the objects have to change.
    Basis: observed, coredata/nscoredataerror, coredata/creating-a-core-data-model-for-cloudkit

    Code: 134070 NSPersistentStoreOperationError
    Meaning: An operation of the store failed.
    Cause: A store reached through another process rejected the request or sent an unreadable response
    Cause: The disk or the database reported an error
    Advice: Read the underlying error and check the permissions of the process that owns the store.
    May pass: It depends on the underlying error.

    Code: 134080 NSPersistentStoreOpenError
    Meaning: The store could not be opened.
    Cause: The file or its folder is missing
    Cause: Permissions or data protection prevent it
    Cause: The file is damaged or isn't a database
    Advice: Check the path and permissions, then look at the file with 'storescope summary STORE'.
    May pass: It passes if the device is unlocked or the file is restored.

    Code: 134090 NSPersistentStoreTimeoutError
    Meaning: Core Data could not reach the store within the time that NSPersistentStoreTimeoutOption sets.
    Cause: The store is on a slow or unreachable volume
    Cause: Another process blocks it
    Advice: Raise the timeout only after finding what blocks the store.
    May pass: It passes when the store can be reached again.

    Code: 134091 NSPersistentStoreUnsupportedRequestTypeError
    Meaning: The store doesn't support the type of request it was sent.
    Cause: Persistent history was requested from a store that doesn't track it
    Cause: A batch request was sent to a store that isn't SQLite
    Advice: Set NSPersistentHistoryTrackingKey to true for every open of a mirrored store, in extensions too, and
      never turn it off again.
    Stays: The option or the request has to change.
    """)
}
