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

  private static let foundationErrors = "FoundationErrors.h (Foundation)"

  /// Files that can't be opened or written; Core Data reports them when it opens or saves a store.
  static let files = errors(
    """
    Code: 256 NSFileReadUnknownError
    Meaning: A file could not be read, and the system gave no more precise reason.
    Cause: A table or column that the model needs is missing: NSSQLiteErrorDomain 1 is the underlying error (finding
      model-differs-from-table)
    Cause: The store is damaged, or isn't a store
    Cause: The file was moved or deleted while it was open
    Advice: Check the store with 'storescope doctor STORE', and read the underlying error in the log.
    May pass: Not if the file is damaged.

    Code: 257 NSFileReadNoPermissionError
    Meaning: A file could not be read: permission denied.
    Cause: The device is locked and the file is protected (NSFileProtectionComplete)
    Cause: The app or extension lacks the app group, or the sandbox forbids the folder
    Advice: Give the store the protection completeUntilFirstUserAuthentication if it is used in the background, and
      check the app group of every target.
    May pass: When the device is unlocked; a missing entitlement has to be added.

    Code: 259 NSFileReadCorruptFileError
    Meaning: A file could not be read: it is damaged or of another format.
    Cause: The store's file is damaged
    Cause: The file isn't an SQLite store
    Advice: Check it with 'storescope doctor STORE', and restore a backup with its -wal.
    Stays: The file stays as it is.

    Code: 260 NSFileReadNoSuchFileError
    Meaning: A file doesn't exist.
    Cause: The store's path is wrong, or its folder doesn't exist yet
    Cause: A file of external storage is missing
    Advice: Check the store's URL; 'storescope doctor STORE' lists missing files of external values.
    Stays: The file has to be restored.

    Code: 512 NSFileWriteUnknownError
    Meaning: A file could not be written, and the system gave no more precise reason.
    Cause: The volume was removed
    Cause: A disk error
    Advice: Read the underlying error in the log.
    May pass: Not if the disk is damaged.

    Code: 513 NSFileWriteNoPermissionError
    Meaning: A file could not be written: permission denied.
    Cause: The store is in a folder that the app may only read, such as its bundle
    Cause: The device is locked and the file is protected
    Advice: Keep the store in Application Support or in the app group's container.
    May pass: When the device is unlocked; a read-only folder stays read-only.

    Code: 516 NSFileWriteFileExistsError
    Meaning: A file could not be written: it exists already.
    Cause: Two processes copy or migrate the store at once
    Cause: A file is left over from an interrupted copy
    Advice: Let one process migrate the store; remove the leftover file.
    May pass: Not if the file is a leftover.

    Code: 640 NSFileWriteOutOfSpaceError
    Meaning: The disk is full.
    Cause: No free space on the device
    Cause: A WAL that grows because a reader never ends
    Advice: Free space on the device; 'storescope size STORE' shows what the store uses.
    May pass: When there is space again; saves that failed have to be repeated.

    Code: 642 NSFileWriteVolumeReadOnlyError
    Meaning: The volume is read-only.
    Cause: The store is on a disk image or in the app's bundle
    Advice: Copy the store to a folder that can be written.
    Stays: The volume stays read-only.
    """,
    in: foundationErrors)

  /// CloudKit works in a process of the system's: https://developer.apple.com/documentation/foundation/nsxpcconnection
  static let connections = errors(
    """
    Code: 4097 NSXPCConnectionInterrupted
    Meaning: The connection to another process was interrupted: that process ended or crashed. In CloudKit's log it is
      the system's CloudKit service.
    Cause: The system ended its CloudKit service, for example under memory pressure or after an update
    Cause: The service crashed while it handled the request
    Advice: Nothing to do if a later event succeeded; otherwise restart the device and look for crash logs.
    Passes: The next request starts the process again, and the mirror tries again.

    Code: 4099 NSXPCConnectionInvalid
    Meaning: There is no connection to another process: it could not be found, refuses the app, or was already closed.
      In CloudKit's log it is the system's CloudKit service.
    Cause: The sandbox or a missing entitlement keeps the app from the service
    Cause: The app or extension was about to end
    Cause: A simulator without a working iCloud service
    Advice: Check the iCloud entitlement of this target, and whether it happens only while the app ends. In the
      simulator, sign in again or restart it.
    May pass: If the process was only ending; a missing entitlement has to be added.

    Code: 4101 NSXPCConnectionReplyInvalid
    Meaning: Another process answered with something that can't be read.
    Cause: The app and the system service have incompatible versions, such as during an update
    Advice: Restart the device; report it to Apple if it persists.
    May pass: Usually after a restart.

    Code: 4102 NSXPCConnectionCodeSigningRequirementFailure
    Meaning: Another process isn't signed as the connection demands.
    Cause: A build that isn't signed, or is signed by another team
    Advice: Sign the app and its extensions with the same team.
    Stays: The build has to be signed.
    """,
    in: foundationErrors)

  /// Damaged archives; the mirror keeps its tokens and records as such.
  static let archives = errors(
    """
    Code: 4864 NSCoderReadCorruptError
    Meaning: An archive could not be read because its content is damaged.
    Cause: A transformable attribute holds data that its transformer doesn't expect
    Cause: In the mirror: a token, record or share archive is damaged
    Advice: 'storescope mirror STORE' shows which of the mirror's archives can't be read.
    Stays: The damaged value remains until it is replaced.

    Code: 4865 NSCoderValueNotFoundError
    Meaning: An archive lacks a requested value.
    Cause: Another version of the class made the archive
    Cause: In the mirror: an archive is damaged or of another kind
    Advice: 'storescope mirror STORE' shows which of the mirror's archives can't be read.
    Stays: The value is missing until the archive is replaced.

    Code: 4866 NSCoderInvalidValueError
    Meaning: A value can't be archived because it isn't valid.
    Cause: A transformable attribute was given a value that can't be archived
    Advice: Check the attribute's transformer and its allowed classes.
    Stays: The value has to be corrected.
    """,
    in: foundationErrors)

  /// Objects that a save refuses. Imports don't validate in the same way, so the mirror rarely reports these.
  static let validation = errors(
    [
      invalid(1550, "NSManagedObjectValidationError", "An object doesn't pass validation."),
      invalid(
        1551, "NSManagedObjectConstraintValidationError", "An object violates a uniqueness constraint."),
      invalid(
        1560, "NSValidationMultipleErrorsError", "Several values fail validation; the error lists them."),
      invalid(1570, "NSValidationMissingMandatoryPropertyError", "A required property has no value."),
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
    ].joined(separator: "\n\n"))

  private static func invalid(_ code: Int, _ name: String, _ meaning: String) -> String {
    """
    Code: \(code) \(name)
    Meaning: \(meaning) The save fails, and nothing is written.
    Cause: Code sets a value that the model doesn't allow
    Cause: The model became stricter than the data
    Advice: Read NSValidationKey and NSValidationObject in the error, and set a valid value before saving.
    Stays: Every save fails until the object is valid or discarded.
    """
  }
}
