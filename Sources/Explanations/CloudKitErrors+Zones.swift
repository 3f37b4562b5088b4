extension CloudKitErrors {
  /// Codes 20 to 37: tokens, zones, shares and accounts.
  static let zones: [Explanation] = [
    .cloudKit(
      20, "operationCancelled",
      "An operation was canceled.",
      causes: [
        "The app went to the background or was quit",
        "The system ended its background time",
        "The app canceled it",
      ],
      advice: "Ignore occasional ones.",
      resolves: .yes("The next export or import does the work."), isNoise: true),
    .cloudKit(
      21, "changeTokenExpired",
      "The server no longer accepts the device's change token.",
      causes: ["The device was offline for a very long time", "The zone was deleted and recreated"],
      advice: "Nothing to do; expect a complete download, and check the result if zones are shared.",
      resolves: .yes("The mirror drops the token and fetches everything again.")),
    .cloudKit(
      22, "batchRequestFailed",
      "This item failed only because another item in the same batch failed.",
      causes: ["Another record in the batch has its own error"],
      advice: "Look for the item in the batch that has a different error.",
      resolves: .sometimes("The whole batch succeeds once that item succeeds.")),
    .cloudKit(
      23, "zoneBusy",
      "The server is too busy with this zone.",
      causes: ["Many devices or requests are writing to the zone at once"],
      advice: "Wait.",
      resolves: .yes("The mirror tries again after a while."), concern: .busyZone),
    .cloudKit(
      24, "badDatabase",
      "The operation isn't possible in this database.",
      causes: [
        "A share was sent to the public database",
        "The app tried to create a zone in the shared database",
        "The store's scope in the options is wrong",
      ],
      advice: "Check databaseScope in the container options of the store.",
      resolves: .no("The scope has to be corrected.")),
    .cloudKit(
      25, "quotaExceeded",
      """
      Storage is full: the user's for the private database, the share owner's for the shared database, the \
      app's for the public database. Uploads stop without a message to the user; downloads continue.
      """,
      causes: [
        "The user's iCloud storage is full",
        "The owner of a share has no storage left",
        "The app keeps large binary values in mirrored attributes",
      ],
      advice: """
        \(StorageAdvice.free) Keep data that doesn't need to sync out of the mirrored entities.
        """,
      resolves: .no("Somebody has to free storage; uploads then resume."), concern: .quota,
      certainty: .observed),
    .cloudKit(
      26, "zoneNotFound",
      "The record zone doesn't exist on the server.",
      causes: [
        "The user deleted the app's iCloud data",
        "Someone deleted or reset the zone or the environment in the CloudKit Console",
        "The app runs against another container or environment than before",
        "The owner ended the share",
      ],
      advice: """
        Back up first. The mirror recreates the user's own zone and uploads to it, but deletes the local \
        rows of a shared zone.
        """,
      resolves: .sometimes(
        """
        The user's own zone is recreated; rows of a shared zone are gone.
        """), concern: .zone),
    .cloudKit(
      27, "limitExceeded",
      "The request was too large for the server.",
      causes: ["Many or large records in one batch", "One record above the limit of 1 MB"],
      advice: "Nothing to do unless it recurs; then look for single objects that are too large.",
      resolves: .sometimes(
        """
        The mirror sends smaller batches; a single object that is too large keeps failing.
        """)),
    .cloudKit(
      28, "userDeletedZone",
      """
      The user deleted the app's data in the iCloud settings. The mirror then deletes the local rows of \
      that zone.
      """,
      causes: ["The user chose to delete the app's data under Manage Storage"],
      advice: """
        Respect the user's choice; if it was a mistake, restore a backup of the store while sync is off.
        """,
      resolves: .sometimes("Sync continues with an empty zone; the rows don't come back."), concern: .zone,
      certainty: .inferred),
    .cloudKit(
      29, "tooManyParticipants",
      "A share has too many participants.",
      causes: ["More than about 100 people"],
      advice: "Remove participants, or split the share.",
      resolves: .no("The list of participants has to be shorter.")),
    .cloudKit(
      30, "alreadyShared",
      "The record already belongs to a share, and a record can be in only one share.",
      causes: ["The object, its parent or one of its children is shared"],
      advice: "Fetch the object's existing share and use it.",
      resolves: .no("The request has to change.")),
    .cloudKit(
      31, "referenceViolation",
      "CloudKit could not find the target of a reference.",
      causes: ["The target record was deleted or isn't saved yet"],
      advice: "Save the target first, or together with the record that refers to it.",
      resolves: .no("The target has to exist.")),
    .cloudKit(
      32, "managedAccountRestricted",
      "The account is managed and doesn't allow CloudKit.",
      causes: ["An organization or school restricts the account"],
      advice: "The administrator of the account has to allow it.",
      resolves: .no("It persists until the restriction is lifted."), concern: .restriction),
    .cloudKit(
      33, "participantMayNeedVerification",
      "The user isn't a participant of the share under any address of this iCloud account.",
      causes: ["The invitation went to an address or number that isn't tied to the user's iCloud account"],
      advice: "Open the share's URL so that the user can verify the address.",
      resolves: .no("The user has to verify the address.")),
    .cloudKit(
      34, "serverResponseLost",
      "The connection was lost before the response arrived, so it isn't known whether the request succeeded.",
      causes: ["A weak network"],
      advice: "Nothing to do.",
      resolves: .yes("The mirror repeats the request.")),
    .cloudKit(
      35, "assetNotAvailable",
      "An asset could not be reached.",
      causes: ["The asset's content hasn't arrived on the server or can't be downloaded now"],
      advice: "Wait.",
      resolves: .yes("It is retried.")),
    .cloudKit(
      36, "accountTemporarilyUnavailable",
      "The account exists but isn't ready for CloudKit. Apple advises against deleting anything.",
      causes: ["The user has to sign in again or accept terms", "iCloud is being set up on the device"],
      advice: "Ask the user to open the iCloud settings; keep all local data.",
      resolves: .sometimes("Sync continues when the account is available again."), concern: .account),
    .cloudKit(
      37, "participantAlreadyInvited",
      "The user was already invited to this share and has to accept that invitation first.",
      causes: ["A second invitation to the same share, or a second request for access"],
      advice: "Let the user accept the existing invitation.",
      resolves: .no("The user has to accept the invitation.")),
  ]

  /// Seen in logs, but not in any header.
  static let unnamed: [Explanation] = [
    .error(
      domain, 111, Explanation.unnamed, "Setup could not be completed and is retried later.",
      causes: ["Not known"], advice: "Check whether a later setup event succeeded.",
      resolves: .yes("A push notification from CloudKit makes the mirror try again."), certainty: .inferred,
      sources: [ExplanationSource.none]),
    .error(
      domain, 112, Explanation.unnamed,
      """
      The keys for the zone's encrypted data are missing, so the mirror flags the zone and uploads it again.
      """,
      causes: [
        "The user reset the end-to-end encrypted data of the account",
        "The keys have not reached this device yet",
      ],
      advice: "Back up the store, and see zone-needs-recovery in 'storescope doctor STORE'.",
      resolves: .sometimes(
        """
        The zone is uploaded again from this device; data that only the server had is lost.
        """),
      concern: .encryptionKeys, certainty: .inferred, sources: [ExplanationSource.none]),
  ]
}
