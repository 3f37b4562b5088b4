extension CocoaErrors {
  /// What the codes of a range are about, for those without an entry; as in FoundationErrors.h and CoreDataErrors.h.
  static let ranges: [(codes: ClosedRange<Int>, subject: String)] = [
    (256...1023, "files: reading, writing, permissions and disk space"),
    (1024...2047, "validation: values that a formatter or a model doesn't allow"),
    (2048...2559, "formatting and parsing values"),
    (3584...3839, "loading code"),
    (3840...4095, "property lists and JSON"),
    (4096...4224, "connections to other processes (XPC), such as the system's CloudKit service"),
    (4352...4607, "documents in iCloud Drive, not CloudKit"),
    (4608...4863, "Handoff between devices"),
    (4864...4991, "archives"),
    (4992...5119, "resources on demand"),
    (5120...5375, "sharing through CloudKit"),
    (132_000...133_999, "Core Data's objects and contexts"),
    (134_400...134_599, "Core Data's mirroring to CloudKit, or history"),
    (134_000...134_999, "Core Data's stores, saves and migration"),
  ]

  /// Files that can't be opened or written; Core Data reports them when it opens or saves a store.
  static let files: [Explanation] = [
    .foundation(
      256, "NSFileReadUnknownError", "A file could not be read, and the system gave no more precise reason.",
      causes: [
        """
        A table or column that the model needs is missing: NSSQLiteErrorDomain 1 is the underlying error (finding \
        model-differs-from-table)
        """,
        "The store is damaged, or isn't a store", "The file was moved or deleted while it was open",
      ],
      advice: "Check the store with 'storescope doctor STORE', and read the underlying error in the log.",
      resolves: .sometimes("Not if the file is damaged.")),
    .foundation(
      257, "NSFileReadNoPermissionError", "A file could not be read: permission denied.",
      causes: [
        "The device is locked and the file is protected (NSFileProtectionComplete)",
        "The app or extension lacks the app group, or the sandbox forbids the folder",
      ],
      advice: """
        Give the store the protection completeUntilFirstUserAuthentication if it is used in the background, \
        and check the app group of every target.
        """,
      resolves: .sometimes("When the device is unlocked; a missing entitlement has to be added.")),
    .foundation(
      259, "NSFileReadCorruptFileError", "A file could not be read: it is damaged or of another format.",
      causes: ["The store's file is damaged", "The file isn't an SQLite store"],
      advice: "Check it with 'storescope doctor STORE', and restore a backup with its -wal.",
      resolves: .no("The file stays as it is.")),
    .foundation(
      260, "NSFileReadNoSuchFileError", "A file doesn't exist.",
      causes: [
        "The store's path is wrong, or its folder doesn't exist yet",
        "A file of external storage is missing",
      ],
      advice: "Check the store's URL; 'storescope doctor STORE' lists missing files of external values.",
      resolves: .no("The file has to be restored.")),
    .foundation(
      512, "NSFileWriteUnknownError",
      "A file could not be written, and the system gave no more precise reason.",
      causes: ["The volume was removed", "A disk error"],
      advice: "Read the underlying error in the log.", resolves: .sometimes("Not if the disk is damaged.")),
    .foundation(
      513, "NSFileWriteNoPermissionError", "A file could not be written: permission denied.",
      causes: [
        "The store is in a folder that the app may only read, such as its bundle",
        "The device is locked and the file is protected",
      ],
      advice: "Keep the store in Application Support or in the app group's container.",
      resolves: .sometimes("When the device is unlocked; a read-only folder stays read-only.")),
    .foundation(
      516, "NSFileWriteFileExistsError", "A file could not be written: it exists already.",
      causes: [
        "Two processes copy or migrate the store at once", "A file is left over from an interrupted copy",
      ],
      advice: "Let one process migrate the store; remove the leftover file.",
      resolves: .sometimes("Not if the file is a leftover.")),
    .foundation(
      640, "NSFileWriteOutOfSpaceError", "The disk is full.",
      causes: ["No free space on the device", "A WAL that grows because a reader never ends"],
      advice: "Free space on the device; 'storescope size STORE' shows what the store uses.",
      resolves: .sometimes("When there is space again; saves that failed have to be repeated.")),
    .foundation(
      642, "NSFileWriteVolumeReadOnlyError", "The volume is read-only.",
      causes: ["The store is on a disk image or in the app's bundle"],
      advice: "Copy the store to a folder that can be written.", resolves: .no("The volume stays read-only.")),
  ]

  /// Objects that a save refuses. Imports don't validate in the same way, so the mirror rarely reports these.
  static let validation: [Explanation] = [
    invalid(1550, "NSManagedObjectValidationError", "An object doesn't pass validation."),
    invalid(1551, "NSManagedObjectConstraintValidationError", "An object violates a uniqueness constraint."),
    invalid(1560, "NSValidationMultipleErrorsError", "Several values fail validation; the error lists them."),
    invalid(
      1570, "NSValidationMissingMandatoryPropertyError", "A required property has no value."),
    invalid(
      1580, "NSValidationRelationshipLacksMinimumCountError", "A to-many relationship has too few objects."),
    invalid(
      1590, "NSValidationRelationshipExceedsMaximumCountError", "A relationship has too many objects."),
    invalid(
      1600, "NSValidationRelationshipDeniedDeleteError",
      "An object can't be deleted: its relationship has the rule Deny and still has objects."),
    invalid(1610, "NSValidationNumberTooLargeError", "A number is above its maximum."),
    invalid(1620, "NSValidationNumberTooSmallError", "A number is below its minimum."),
    invalid(1630, "NSValidationDateTooLateError", "A date is too late."),
    invalid(1640, "NSValidationDateTooSoonError", "A date is too early."),
    invalid(1650, "NSValidationInvalidDateError", "A date isn't valid."),
    invalid(1660, "NSValidationStringTooLongError", "A string is too long."),
    invalid(1670, "NSValidationStringTooShortError", "A string is too short."),
    invalid(1680, "NSValidationStringPatternMatchingError", "A string doesn't match its pattern."),
    invalid(1690, "NSValidationInvalidURIError", "A URI isn't valid."),
  ]

  private static func invalid(_ code: Int, _ name: String, _ meaning: String) -> Explanation {
    .coreData(
      code, name, "\(meaning) The save fails, and nothing is written.",
      causes: ["Code sets a value that the model doesn't allow", "The model became stricter than the data"],
      advice:
        "Read NSValidationKey and NSValidationObject in the error, and set a valid value before saving.",
      resolves: .no("Every save fails until the object is valid or discarded."))
  }

  /// CloudKit works in a process of the system's: https://developer.apple.com/documentation/foundation/nsxpcconnection
  static let connections: [Explanation] = [
    .foundation(
      4097, "NSXPCConnectionInterrupted",
      """
      The connection to another process was interrupted: that process ended or crashed. In CloudKit's log it is \
      the system's CloudKit service.
      """,
      causes: [
        "The system ended its CloudKit service, for example under memory pressure or after an update",
        "The service crashed while it handled the request",
      ],
      advice:
        "Nothing to do if a later event succeeded; otherwise restart the device and look for crash logs.",
      resolves: .yes("The next request starts the process again, and the mirror tries again.")),
    .foundation(
      4099, "NSXPCConnectionInvalid",
      """
      There is no connection to another process: it could not be found, refuses the app, or was already closed. \
      In CloudKit's log it is the system's CloudKit service.
      """,
      causes: [
        "The sandbox or a missing entitlement keeps the app from the service",
        "The app or extension was about to end",
        "A simulator without a working iCloud service",
      ],
      advice: """
        Check the iCloud entitlement of this target, and whether it happens only while the app ends. In the \
        simulator, sign in again or restart it.
        """,
      resolves: .sometimes("If the process was only ending; a missing entitlement has to be added.")),
    .foundation(
      4101, "NSXPCConnectionReplyInvalid", "Another process answered with something that can't be read.",
      causes: ["The app and the system service have incompatible versions, such as during an update"],
      advice: "Restart the device; report it to Apple if it persists.",
      resolves: .sometimes("Usually after a restart.")),
    .foundation(
      4102, "NSXPCConnectionCodeSigningRequirementFailure",
      "Another process isn't signed as the connection demands.",
      causes: ["A build that isn't signed, or is signed by another team"],
      advice: "Sign the app and its extensions with the same team.",
      resolves: .no("The build has to be signed.")),
  ]
}
