extension CloudKitErrors {
  /// Codes 20 to 37: tokens, zones, shares and accounts.
  static let zones: [Explanation] = [
    .cloudKit(
      20, "operationCancelled",
      "An operation was cancelled.",
      causes: [
        "The app went to the background or was quit",
        "The system ended its background time",
        "The app cancelled it",
      ],
      advice: "Ignore single ones.",
      resolves: .yes("The next export or import does the work."), isNoise: true),
    .cloudKit(
      21, "changeTokenExpired",
      "The server no longer accepts the device's change token.",
      causes: ["The device was offline for very long", "The zone was deleted and made again"],
      advice: "Nothing to do; expect a complete download, and in case of shared zones look at the result.",
      resolves: .yes("The mirror drops the token and fetches everything again.")),
    .cloudKit(
      22, "batchRequestFailed",
      "This item failed only because another item of the same batch did.",
      causes: ["Another record of the batch has an error of its own"],
      advice: "Look for the item that has another error.",
      resolves: .sometimes("The whole batch succeeds once the guilty item does.")),
    .cloudKit(
      23, "zoneBusy",
      "The server is too busy with this zone.",
      causes: ["Many devices or requests write to the zone at once"],
      advice: "Wait.",
      resolves: .yes("The mirror tries again after a while."), concern: .busyZone),
    .cloudKit(
      24, "badDatabase",
      "The operation isn't possible in this database.",
      causes: [
        "A share was sent to the public database",
        "A zone was to be made in the shared database",
        "The store's scope in the options is wrong",
      ],
      advice: "Check databaseScope in the container options of the store.",
      resolves: .no("The scope has to be corrected.")),
    .cloudKit(
      25, "quotaExceeded",
      """
      There is no storage left: the user's in the private database, the owner's in the shared one, the \
      app's in the public one. Uploads stop silently; downloads go on.
      """,
      causes: [
        "The user's iCloud storage is full",
        "The owner of a share has no storage left",
        "The app keeps large binary values in mirrored attributes",
      ],
      advice: """
        Tell the user to free iCloud storage; find the largest records in the store, and keep what needn't \
        sync out of the mirrored entities.
        """,
      resolves: .no("Uploads wait until there is storage, then continue."), concern: .quota,
      certainty: .observed),
    .cloudKit(
      26, "zoneNotFound",
      "The record zone doesn't exist on the server.",
      causes: [
        "The user deleted the app's iCloud data",
        "Someone deleted or reset the zone or the environment in the CloudKit Console",
        "The app runs against another container or environment than before",
        "A share was ended by its owner",
      ],
      advice: """
        Back up first. The mirror makes an own zone again and uploads, but deletes the local rows of a \
        shared zone.
        """,
      resolves: .sometimes("An own zone is made again; rows of a shared zone are gone."), concern: .zone),
    .cloudKit(
      27, "limitExceeded",
      "The request was too large for the server.",
      causes: ["Many or large records in one batch", "One record above the limit of 1 MB"],
      advice: "Nothing to do unless it repeats; then look for objects that are too large by themselves.",
      resolves: .sometimes("The mirror sends smaller batches; a single object that is too large stays.")),
    .cloudKit(
      28, "userDeletedZone",
      """
      The user deleted the app's data in the iCloud settings. The mirror then deletes the local rows of \
      that zone.
      """,
      causes: ["The user chose to delete the app's data under Manage Storage"],
      advice: "Respect it; if the user didn't mean it, restore a backup of the store while sync is off.",
      resolves: .sometimes("Sync goes on with an empty zone; the rows don't come back."), concern: .zone,
      certainty: .inferred),
    .cloudKit(
      29, "tooManyParticipants",
      "A share has too many participants.",
      causes: ["More than about 100 people"],
      advice: "Remove participants, or split the share.",
      resolves: .no("The list has to become shorter.")),
    .cloudKit(
      30, "alreadyShared",
      "A record belongs to a share already, and can be in only one.",
      causes: ["The object, its parent or one of its children is shared"],
      advice: "Fetch the existing share for the object and use that.",
      resolves: .no("The request has to change.")),
    .cloudKit(
      31, "referenceViolation",
      "CloudKit could not find the target of a reference.",
      causes: ["The record that is referred to was deleted or not saved yet"],
      advice: "Save the target first, or with it.",
      resolves: .no("The target has to exist.")),
    .cloudKit(
      32, "managedAccountRestricted",
      "A managed account forbids CloudKit.",
      causes: ["An organization or school restricts the account"],
      advice: "The administrator of the account has to allow it.",
      resolves: .no("It stays until the restriction is lifted."), concern: .restriction),
    .cloudKit(
      33, "participantMayNeedVerification",
      "The user isn't a participant of the share under the addresses that this account knows.",
      causes: ["The invitation went to an address or number that isn't tied to the user's iCloud account"],
      advice: "Open the share's URL so that the user can verify the address.",
      resolves: .no("The user has to verify.")),
    .cloudKit(
      34, "serverResponseLost",
      "The connection broke before the answer came, so it isn't known whether the request succeeded.",
      causes: ["A weak network"],
      advice: "Nothing to do.",
      resolves: .yes("The mirror asks again.")),
    .cloudKit(
      35, "assetNotAvailable",
      "An asset could not be reached.",
      causes: ["The asset's content hasn't arrived on the server or can't be downloaded now"],
      advice: "Wait.",
      resolves: .yes("It is tried again.")),
    .cloudKit(
      36, "accountTemporarilyUnavailable",
      "The account exists but isn't ready for CloudKit. Apple's advice is to delete nothing.",
      causes: ["The user has to sign in again or accept terms", "iCloud is being set up on the device"],
      advice: "Ask the user to open the iCloud settings; keep all local data.",
      resolves: .sometimes("Sync continues when the account is available again."), concern: .account),
    .cloudKit(
      37, "participantAlreadyInvited",
      "The user has been invited to this share already and has to accept that invitation first.",
      causes: ["A second invitation or request for access to the same share"],
      advice: "Let the user accept the existing invitation.",
      resolves: .no("The user has to accept.")),
  ]

  /// Seen in logs, and in no header.
  static let unnamed: [Explanation] = [
    .error(
      domain, 111, Explanation.unnamed, "Setup could not be completed and is taken up again later.",
      causes: ["Not known"], advice: "Look whether a later setup event succeeded.",
      resolves: .yes("A push notification from CloudKit makes the mirror try again."), certainty: .inferred,
      sources: [ExplanationSource.none]),
    .error(
      domain, 112, Explanation.unnamed,
      "The keys for the zone's encrypted data is missing, so the mirror marks the zone and sends it again.",
      causes: [
        "The user reset the end-to-end encrypted data of the account",
        "The keys have not reached this device yet",
      ],
      advice: "Back up the store, and see zone-needs-recovery in `storescope doctor`.",
      resolves: .sometimes("The zone is uploaded again from this device; what only the server had is lost."),
      concern: .encryptionKeys, certainty: .inferred, sources: [ExplanationSource.none]),
  ]
}
