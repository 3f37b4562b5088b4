/// The codes of CKErrorDomain, in order.
///
/// Apple documents what a code means; what the mirror does about it is reported by app authors or inferred.
enum CloudKitErrors {
  static let domain = "CKErrorDomain"

  static let lists: [@Sendable () -> [Explanation]] = [{ operations }, { zones }, { unnamed }]

  static let all = lists.flatMap { $0() }

  static func errors(_ text: String) -> [Explanation] {
    Explanation.errors(of: domain, text) {
      [ExplanationSource.page("cloudkit/ckerror/code/" + $0.lowercased()), "CKError.h (CloudKit)"]
    }
  }

  /// Codes 1 to 19.
  static let operations = errors(
    """
    Code: 1 internalError
    Meaning: CloudKit had an internal error that it reports as unrecoverable.
    Cause: A fault in CloudKit or its server
    Cause: CloudKit's local cache is damaged
    Advice: Wait and try again; if it persists, report it to Apple with the log.
    May pass: Later attempts may succeed.

    Code: 2 partialFailure
    Meaning: Some items of an operation failed; the others may have succeeded. The store keeps only this code, not the
      errors of the individual items.
    Cause: Some records are too large, conflict, or were rejected; the other items of their batch fail with
      batchRequestFailed
    Cause: A record type or field is missing in the production schema
    Cause: The user's iCloud storage is full
    Cause: A record that the device treats as new already exists on the server
    Advice: Read the errors of the individual items in the app's log; in the store, 'storescope pending STORE' shows
      which objects, and so which entity, aren't uploaded.
    May pass: It depends on the errors of the individual items.
    Concern: partialFailure
    Basis: observed, cloudkit/ckerror/code/partialfailure, CKError.h (CloudKit)

    Code: 3 networkUnavailable
    Meaning: The device has no network.
    Cause: Offline, airplane mode, or no permission to use cellular data
    Advice: Nothing to do; sync continues when the network is back.
    Passes: The mirror tries again when the network is back.

    Code: 4 networkFailure
    Meaning: There is a network, but CloudKit could not be reached.
    Cause: A weak connection, a captive portal, a VPN or a firewall
    Cause: An outage at Apple
    Advice: Wait; check another network and Apple's system status if it persists.
    Passes: The mirror tries again.

    Code: 5 badContainer
    Meaning: The CloudKit container is unknown or the app may not use it.
    Cause: The container identifier is misspelled
    Cause: The container isn't assigned to the app ID
    Cause: The assignment hasn't reached the server
    Advice: Compare the identifier with the entitlement and the developer portal, then renew the provisioning profile.
    Stays: The configuration has to be corrected.

    Code: 6 serviceUnavailable
    Meaning: CloudKit is unavailable at the moment, often because it is throttling the app.
    Cause: Too many changes in a short time
    Cause: An outage at Apple
    Advice: Wait, for hours if necessary, and don't keep relaunching the app; spread large data imports over time.
    Passes: Sync continues when the server allows it.
    Concern: throttling

    Code: 7 requestRateLimited
    Meaning: CloudKit is throttling the app because it sent too many requests.
    Cause: Thousands of objects were changed at once
    Cause: The app changes objects again and again, for example in response to imports
    Cause: Repeated launches, each of which tries again
    Advice: Wait, for hours if necessary; write large data sets in small batches, and check history-update-loop and
      history-oversized-transaction in 'storescope doctor STORE'.
    Passes: Sync continues when the server allows it.
    Concern: throttling

    Code: 8 missingEntitlement
    Meaning: The app lacks an entitlement that CloudKit needs.
    Cause: The iCloud capability is missing in this build
    Cause: The provisioning profile is out of date
    Cause: An extension was built without the entitlement
    Advice: Add the iCloud capability with CloudKit and renew the profile.
    Stays: The build has to be corrected.

    Code: 9 notAuthenticated
    Meaning: CloudKit could not authenticate the user.
    Cause: Nobody is signed in to iCloud
    Cause: iCloud is off for this app
    Cause: The account needs its password again
    Advice: Ask the user to sign in and to allow iCloud for the app.
    May pass: Sync starts after the user has signed in.
    Concern: account

    Code: 10 permissionFailure
    Meaning: The user isn't allowed to read or write this.
    Cause: The record is in a share that is read-only for the user
    Cause: Another user owns the public record
    Cause: A security role of the record type forbids it
    Cause: The container isn't assigned to the app ID
    Advice: Check canUpdateRecord and canDeleteRecord before editing shared objects, and the roles in the CloudKit
      Console.
    Stays: Repeating the operation doesn't help.

    Code: 11 unknownItem
    Meaning: The record doesn't exist on the server.
    Cause: It was deleted by another device
    Cause: It was never uploaded, or was uploaded to another environment or container
    Cause: The record type isn't in the schema
    Advice: Compare the environment and container; 'storescope resync STORE --pull' brings the device up to date.
    Stays: The record doesn't come back on its own.

    Code: 12 invalidArguments
    Meaning: The request contained something invalid.
    Cause: The production schema lacks a record type or field that the record has
    Cause: A value or name breaks CloudKit's rules
    Advice: Deploy the schema to production; the log shows the field.
    Stays: The schema or the value has to change.

    Code: 13 resultsTruncated
    Meaning: The results of a query were cut short. Apple has deprecated the code and documents that it is no longer
      returned.
    Cause: A system before iOS 10 or macOS 10.12
    Advice: Nothing to do on current systems.
    Passes: The rest is fetched with further queries.

    Code: 14 serverRecordChanged
    Meaning: The record on the server is newer than the one the device tried to save.
    Cause: Another device saved the same record
    Cause: The device sent a record without its change tag
    Advice: Nothing to do as long as later exports succeed; the mirror merges the versions and sends the record again.
    Passes: The mirror merges the two versions; your own CloudKit code has to merge them itself.

    Code: 15 serverRejectedRequest
    Meaning: CloudKit rejected the request and reports it as unrecoverable.
    Cause: The production schema lacks a record type or field
    Cause: A query needs an index that doesn't exist
    Cause: The container or the account is blocked
    Advice: Check the schema and the indexes in the CloudKit Console; the code alone doesn't show the cause.
    Stays: The same request fails again.

    Code: 16 assetFileNotFound
    Meaning: The file of an asset to be uploaded is missing.
    Cause: Files in NAME_ckAssets or .NAME_SUPPORT were deleted, or not copied with the store
    Cause: Storage was cleaned up while an upload was pending
    Advice: Restore the folders next to the store from a backup; external-data-missing in 'storescope doctor STORE'
      lists the objects.
    Stays: The file has to be restored.

    Code: 17 assetFileModified
    Meaning: The file of an asset changed while it was being uploaded.
    Cause: Another process or other code wrote to the file
    Advice: Let only Core Data write a store's files.
    May pass: A later upload succeeds once the file no longer changes.

    Code: 18 incompatibleVersion
    Meaning: This version of the app is older than the oldest version allowed.
    Cause: A minimum version is required for the container or the share
    Advice: Update the app.
    Stays: The app has to be updated.

    Code: 19 constraintViolation
    Meaning: The server rejected a value that has to be unique.
    Cause: Two records with the same unique value
    Advice: Find the duplicates in the data and merge them.
    Stays: The duplicate stays until it is removed.
    """)
}
