/// The codes of CKErrorDomain, in order.
///
/// Apple documents what a code means; what the mirror does about it is reported by app authors or inferred.
enum CloudKitErrors {
  static let domain = "CKErrorDomain"

  static let lists: [@Sendable () -> [Explanation]] = [{ operations }, { zones }, { unnamed }]

  static let all = lists.flatMap { $0() }

  /// Codes 1 to 19.
  static let operations: [Explanation] = [
    .cloudKit(
      1, "internalError",
      "CloudKit had an internal error that it reports as unrecoverable.",
      causes: ["A fault in CloudKit or its server", "CloudKit's local cache is damaged"],
      advice: "Wait and try again; if it persists, report it to Apple with the log.",
      resolves: .sometimes("Later attempts may succeed.")),
    .cloudKit(
      2, "partialFailure",
      """
      Some items of an operation failed; the others may have succeeded. The store keeps only this code, not \
      the errors of the individual items.
      """,
      causes: [
        """
        Some records are too large, conflict, or were rejected; the other items of their batch fail with \
        batchRequestFailed
        """,
        "A record type or field is missing in the production schema",
        "The user's iCloud storage is full",
        "A record that the device treats as new already exists on the server",
      ],
      advice: """
        Read the errors of the individual items in the app's log; in the store, 'storescope pending STORE' shows \
        which objects, and so which entity, aren't uploaded.
        """,
      resolves: .sometimes("It depends on the errors of the individual items."), concern: .partialFailure,
      certainty: .observed),
    .cloudKit(
      3, "networkUnavailable",
      "The device has no network.",
      causes: ["Offline, airplane mode, or no permission to use cellular data"],
      advice: "Nothing to do; sync continues when the network is back.",
      resolves: .yes("The mirror tries again when the network is back.")),
    .cloudKit(
      4, "networkFailure",
      "There is a network, but CloudKit could not be reached.",
      causes: ["A weak connection, a captive portal, a VPN or a firewall", "An outage at Apple"],
      advice: "Wait; check another network and Apple's system status if it persists.",
      resolves: .yes("The mirror tries again.")),
    .cloudKit(
      5, "badContainer",
      "The CloudKit container is unknown or the app may not use it.",
      causes: [
        "The container identifier is misspelled",
        "The container isn't assigned to the app ID",
        "The assignment hasn't reached the server",
      ],
      advice: """
        Compare the identifier with the entitlement and the developer portal, then renew the provisioning \
        profile.
        """,
      resolves: .no("The configuration has to be corrected.")),
    .cloudKit(
      6, "serviceUnavailable",
      "CloudKit is unavailable at the moment, often because it is throttling the app.",
      causes: ["Too many changes in a short time", "An outage at Apple"],
      advice: """
        Wait, for hours if necessary, and don't keep relaunching the app; spread large data imports over time.
        """,
      resolves: .yes("Sync continues when the server allows it."), concern: .throttling),
    .cloudKit(
      7, "requestRateLimited",
      "CloudKit is throttling the app because it sent too many requests.",
      causes: [
        "Thousands of objects were changed at once",
        "The app changes objects again and again, for example in response to imports",
        "Repeated launches, each of which tries again",
      ],
      advice: """
        Wait, for hours if necessary; write large data sets in small batches, and check history-update-loop \
        and history-oversized-transaction in 'storescope doctor STORE'.
        """,
      resolves: .yes("Sync continues when the server allows it."), concern: .throttling),
    .cloudKit(
      8, "missingEntitlement",
      "The app lacks an entitlement that CloudKit needs.",
      causes: [
        "The iCloud capability is missing in this build",
        "The provisioning profile is out of date",
        "An extension was built without the entitlement",
      ],
      advice: "Add the iCloud capability with CloudKit and renew the profile.",
      resolves: .no("The build has to be corrected.")),
    .cloudKit(
      9, "notAuthenticated",
      "CloudKit could not authenticate the user.",
      causes: [
        "Nobody is signed in to iCloud",
        "iCloud is off for this app",
        "The account needs its password again",
      ],
      advice: "Ask the user to sign in and to allow iCloud for the app.",
      resolves: .sometimes("Sync starts after the user has signed in."), concern: .account),
    .cloudKit(
      10, "permissionFailure",
      "The user isn't allowed to read or write this.",
      causes: [
        "The record is in a share that is read-only for the user",
        "Another user owns the public record",
        "A security role of the record type forbids it",
        "The container isn't assigned to the app ID",
      ],
      advice: """
        Check canUpdateRecord and canDeleteRecord before editing shared objects, and the roles in the \
        CloudKit Console.
        """,
      resolves: .no("Repeating the operation doesn't help.")),
    .cloudKit(
      11, "unknownItem",
      "The record doesn't exist on the server.",
      causes: [
        "It was deleted by another device",
        "It was never uploaded, or was uploaded to another environment or container",
        "The record type isn't in the schema",
      ],
      advice: """
        Compare the environment and container; 'storescope resync STORE --pull' brings the device up to date.
        """,
      resolves: .no("The record doesn't come back on its own.")),
    .cloudKit(
      12, "invalidArguments",
      "The request contained something invalid.",
      causes: [
        "The production schema lacks a record type or field that the record has",
        "A value or name breaks CloudKit's rules",
      ],
      advice: "Deploy the schema to production; the log shows the field.",
      resolves: .no("The schema or the value has to change.")),
    .cloudKit(
      13, "resultsTruncated",
      """
      The results of a query were cut short. Apple has deprecated the code and documents that it is no \
      longer returned.
      """,
      causes: ["A system before iOS 10 or macOS 10.12"],
      advice: "Nothing to do on current systems.",
      resolves: .yes("The rest is fetched with further queries.")),
    .cloudKit(
      14, "serverRecordChanged",
      "The record on the server is newer than the one the device tried to save.",
      causes: [
        "Another device saved the same record",
        "The device sent a record without its change tag",
      ],
      advice: """
        Nothing to do as long as later exports succeed; the mirror merges the versions and sends the record \
        again.
        """,
      resolves: .yes("The mirror merges the two versions; your own CloudKit code has to merge them itself.")),
    .cloudKit(
      15, "serverRejectedRequest",
      "CloudKit rejected the request and reports it as unrecoverable.",
      causes: [
        "The production schema lacks a record type or field",
        "A query needs an index that doesn't exist",
        "The container or the account is blocked",
      ],
      advice: """
        Check the schema and the indexes in the CloudKit Console; the code alone doesn't show the cause.
        """,
      resolves: .no("The same request fails again.")),
    .cloudKit(
      16, "assetFileNotFound",
      "The file of an asset to be uploaded is missing.",
      causes: [
        "Files in NAME_ckAssets or .NAME_SUPPORT were deleted, or not copied with the store",
        "Storage was cleaned up while an upload was pending",
      ],
      advice: """
        Restore the folders next to the store from a backup; external-data-missing in 'storescope doctor STORE' \
        lists the objects.
        """,
      resolves: .no("The file has to be restored.")),
    .cloudKit(
      17, "assetFileModified",
      "The file of an asset changed while it was being uploaded.",
      causes: ["Another process or other code wrote to the file"],
      advice: "Let only Core Data write a store's files.",
      resolves: .sometimes("A later upload succeeds once the file no longer changes.")),
    .cloudKit(
      18, "incompatibleVersion",
      "This version of the app is older than the oldest version allowed.",
      causes: ["A minimum version is required for the container or the share"],
      advice: "Update the app.",
      resolves: .no("The app has to be updated.")),
    .cloudKit(
      19, "constraintViolation",
      "The server rejected a value that has to be unique.",
      causes: ["Two records with the same unique value"],
      advice: "Find the duplicates in the data and merge them.",
      resolves: .no("The duplicate stays until it is removed.")),
  ]
}
