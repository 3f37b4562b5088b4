extension CloudKitErrors {
  /// Codes 20 to 37: tokens, zones, shares and accounts.
  static let zones = errors(
    """
    Code: 20 operationCancelled
    Meaning: An operation was canceled.
    Cause: The app went to the background or was quit
    Cause: The system ended its background time
    Cause: The app canceled it
    Advice: Ignore occasional ones.
    Passes: The next export or import does the work.
    Noise: yes

    Code: 21 changeTokenExpired
    Meaning: The server no longer accepts the device's change token.
    Cause: The device was offline for a very long time
    Cause: The zone was deleted and recreated
    Advice: Nothing to do; expect a complete download, and check the result if zones are shared.
    Passes: The mirror drops the token and fetches everything again.

    Code: 22 batchRequestFailed
    Meaning: This item failed only because another item in the same batch failed.
    Cause: Another record in the batch has its own error
    Advice: Look for the item in the batch that has a different error.
    May pass: The whole batch succeeds once that item succeeds.

    Code: 23 zoneBusy
    Meaning: The server is too busy with this zone.
    Cause: Many devices or requests are writing to the zone at once
    Advice: Wait.
    Passes: The mirror tries again after a while.
    Concern: busyZone

    Code: 24 badDatabase
    Meaning: The operation isn't possible in this database.
    Cause: A share was sent to the public database
    Cause: The app tried to create a zone in the shared database
    Cause: The store's scope in the options is wrong
    Advice: Check databaseScope in the container options of the store.
    Stays: The scope has to be corrected.

    Code: 25 quotaExceeded
    Meaning: Storage is full: the user's for the private database, the share owner's for the shared database, the
      app's for the public database. Uploads stop without a message to the user; downloads continue.
    Cause: The user's iCloud storage is full
    Cause: The owner of a share has no storage left
    Cause: The app keeps large binary values in mirrored attributes
    Advice: \(StorageAdvice.free) Keep data that doesn't need to sync out of the mirrored entities.
    Stays: Somebody has to free storage; uploads then resume.
    Concern: quota
    Basis: observed, cloudkit/ckerror/code/quotaexceeded, CKError.h (CloudKit)

    Code: 26 zoneNotFound
    Meaning: The record zone doesn't exist on the server.
    Cause: The user deleted the app's iCloud data
    Cause: Someone deleted or reset the zone or the environment in the CloudKit Console
    Cause: The app runs against another container or environment than before
    Cause: The owner ended the share
    Advice: Back up first. The mirror recreates the user's own zone and uploads to it, but deletes the local rows of a
      shared zone.
    May pass: The user's own zone is recreated; rows of a shared zone are gone.
    Concern: zone

    Code: 27 limitExceeded
    Meaning: The request was too large for the server.
    Cause: Many or large records in one batch
    Cause: One record above the limit of 1 MB
    Advice: Nothing to do unless it recurs; then look for single objects that are too large.
    May pass: The mirror sends smaller batches; a single object that is too large keeps failing.

    Code: 28 userDeletedZone
    Meaning: The user deleted the app's data in the iCloud settings. The mirror then deletes the local rows of that
      zone.
    Cause: The user chose to delete the app's data under Manage Storage
    Advice: Respect the user's choice; if it was a mistake, restore a backup of the store while sync is off.
    May pass: Sync continues with an empty zone; the rows don't come back.
    Concern: zone
    Basis: inferred, cloudkit/ckerror/code/userdeletedzone, CKError.h (CloudKit)

    Code: 29 tooManyParticipants
    Meaning: A share has too many participants.
    Cause: More than about 100 people
    Advice: Remove participants, or split the share.
    Stays: The list of participants has to be shorter.

    Code: 30 alreadyShared
    Meaning: The record already belongs to a share, and a record can be in only one share.
    Cause: The object, its parent or one of its children is shared
    Advice: Fetch the object's existing share and use it.
    Stays: The request has to change.

    Code: 31 referenceViolation
    Meaning: CloudKit could not find the target of a reference.
    Cause: The target record was deleted or isn't saved yet
    Advice: Save the target first, or together with the record that refers to it.
    Stays: The target has to exist.

    Code: 32 managedAccountRestricted
    Meaning: The account is managed and doesn't allow CloudKit.
    Cause: An organization or school restricts the account
    Advice: The administrator of the account has to allow it.
    Stays: It persists until the restriction is lifted.
    Concern: restriction

    Code: 33 participantMayNeedVerification
    Meaning: The user isn't a participant of the share under any address of this iCloud account.
    Cause: The invitation went to an address or number that isn't tied to the user's iCloud account
    Advice: Open the share's URL so that the user can verify the address.
    Stays: The user has to verify the address.

    Code: 34 serverResponseLost
    Meaning: The connection was lost before the response arrived, so it isn't known whether the request succeeded.
    Cause: A weak network
    Advice: Nothing to do.
    Passes: The mirror repeats the request.

    Code: 35 assetNotAvailable
    Meaning: An asset could not be reached.
    Cause: The asset's content hasn't arrived on the server or can't be downloaded now
    Advice: Wait.
    Passes: It is retried.

    Code: 36 accountTemporarilyUnavailable
    Meaning: The account exists but isn't ready for CloudKit. Apple advises against deleting anything.
    Cause: The user has to sign in again or accept terms
    Cause: iCloud is being set up on the device
    Advice: Ask the user to open the iCloud settings; keep all local data.
    May pass: Sync continues when the account is available again.
    Concern: account

    Code: 37 participantAlreadyInvited
    Meaning: The user was already invited to this share and has to accept that invitation first.
    Cause: A second invitation to the same share, or a second request for access
    Advice: Let the user accept the existing invitation.
    Stays: The user has to accept the invitation.
    """)

  /// Seen in logs, but not in any header.
  static let unnamed = errors(
    """
    Code: 111
    Meaning: Setup could not be completed and is retried later.
    Cause: Not known
    Advice: Check whether a later setup event succeeded.
    Passes: A push notification from CloudKit makes the mirror try again.
    Basis: inferred, no public documentation

    Code: 112
    Meaning: The keys for the zone's encrypted data are missing, so the mirror flags the zone and uploads it again.
    Cause: The user reset the end-to-end encrypted data of the account
    Cause: The keys have not reached this device yet
    Advice: Back up the store, and see zone-needs-recovery in 'storescope doctor STORE'.
    May pass: The zone is uploaded again from this device; data that only the server had is lost.
    Concern: encryptionKeys
    Basis: inferred, no public documentation
    """)
}
