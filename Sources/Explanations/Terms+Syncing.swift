extension Terms {
  /// Syncing, and how it fails.
  static let syncing: [Explanation] = [
    .term(
      "event",
      synonyms: ["events", "ANSCKEVENT", "eventChangedNotification", "sync event"],
      """
      One setup, import or export as the mirror logs it: start, end, success, and the domain and code of the \
      outermost error. If the end is missing, it was still running or the app was killed.
      """,
      advice: """
        'storescope events STORE' explains each event. Successful events don't prove that everything is uploaded; \
        check with 'storescope pending STORE'.
        """,
      certainty: .observed, sources: [ExplanationSource.coreData("nspersistentcloudkitcontainer/event")]),
    .term(
      "setup event",
      synonyms: ["setup"],
      """
      The mirror's preparation at each launch: account, container, zone, subscription, and repairs of the \
      mirror's tables. Nothing is sent or fetched before it succeeds.
      """,
      advice: """
        If it fails at every launch, resolve the error of the first failed setup: often the account (134400), the \
        model (134060) or a wrong container. After a store was replaced, setup may take minutes.
        """,
      resolves: .sometimes("It is retried at each launch and after account changes."),
      certainty: .observed,
      sources: [ExplanationSource.coreData("nspersistentcloudkitcontainer/event"), ExplanationSource.tn3163]),
    .term(
      "import event",
      synonyms: ["import"],
      """
      Fetching changes from the server into the store. One import can fetch very many rows in steps, so a \
      long import isn't necessarily stuck.
      """,
      causes: ["Started by a push notification, at launch, or by polling in the public database"],
      advice:
        "'storescope history STORE --author NSCloudKitMirroringDelegate.import' shows imported changes.",
      certainty: .observed,
      sources: [ExplanationSource.coreData("nspersistentcloudkitcontainer/event"), ExplanationSource.tn3163]),
    .term(
      "export event",
      synonyms: ["export"],
      "Sending local changes to the server, in batches of at most 400 objects. The system decides when.",
      causes: ["Scheduled after a save, when the app becomes active, and when it goes to the background"],
      advice:
        "Compare failed exports in 'storescope events STORE' with what 'storescope pending STORE' still shows.",
      certainty: .observed,
      sources: [ExplanationSource.coreData("nspersistentcloudkitcontainer/event"), ExplanationSource.tn3163]),
    .term(
      "import relationship",
      synonyms: ["pending relationship", "pending import relationship", "ANSCKIMPORTPENDINGRELATIONSHIP"],
      """
      A relationship of an imported object to an object whose record hasn't arrived. Later imports retry it.
      """,
      causes: ["A child arrived before its parent", "The other record was deleted on the server"],
      advice: """
        Code must handle relationships that are nil for a while; import-relationship-stuck reports old ones.
        """,
      resolves: .sometimes("It is filled in when the record arrives."),
      certainty: .observed, sources: [ExplanationSource.appAuthors]),
    .term(
      "throttling",
      synonyms: ["throttle", "throttled", "rate limit", "429"],
      """
      The server or the system slows down an app that syncs too much: CKErrorDomain 6 and 7 in bursts, then \
      silence for minutes or hours. There is no API to query or shorten it.
      """,
      causes: [
        "Thousands of objects changed in a short time",
        "The app changes objects in response to imports, which causes new exports on every device",
      ],
      advice: """
        Wait and don't relaunch; write large data sets in batches over time, and save only real changes.
        """,
      resolves: .yes("Sync resumes on its own when the throttle expires."),
      certainty: .documented, sources: [ExplanationSource.tn3162, ExplanationSource.tn3164]),
    .term(
      "quota",
      synonyms: ["iCloud storage", "storage full"],
      """
      The storage of an account or a container. When it is full, uploads fail with CKErrorDomain 25 while \
      downloads continue.
      """,
      causes: ["The user's iCloud storage is full", "Large binary values in mirrored attributes"],
      advice: "\(StorageAdvice.free) Keep values that don't need to sync in another store or entity.",
      resolves: .no("Somebody has to free storage; uploads then resume."),
      certainty: .documented, sources: [ExplanationSource.cloudKit("ckerror/code/quotaexceeded")]),
    .term(
      "limits",
      synonyms: ["limit", "CloudKit limit", "1 MB", "256 fields"],
      """
      CloudKit's limits: 1 MB per record without assets, 256 fields per record type, 1000 zones per \
      container, about 400 items per operation.
      """,
      advice: """
        'storescope doctor STORE' reports record-near-limit; keep large attributes in external storage, and reuse \
        shares.
        """,
      certainty: .documented, sources: [ExplanationSource.tn3164]),
    .term(
      "partial failure",
      synonyms: ["partialErrors", "CKPartialErrorsByItemIDKey"],
      """
      CKErrorDomain 2: some items of an operation failed, each with its own error, which only the app and \
      its log see. The store keeps only the code 2.
      """,
      advice: """
        See 'storescope explain CKErrorDomain:2', and the changes that stay in 'storescope pending STORE'.
        """,
      certainty: .observed, sources: [ExplanationSource.cloudKit("ckerror/code/partialfailure")]),
    .term(
      "identity",
      synonyms: [
        "account identity", "iCloud identity", "user record", "account change",
        "NSCloudKitMirroringDelegateCheckedCKIdentityDefaultsKey",
        "NSCloudKitMirroringDelegateCKIdentityRecordNameDefaultsKey",
      ],
      """
      The iCloud account that a store was mirrored with; the mirror keeps the name of the user's record. If \
      the account changes, the mirror deletes the local rows and starts over.
      """,
      causes: [
        "An account that is recorded incompletely (checked, but without a name) counts as another account"
      ],
      advice: """
        Never delete only one of the two identity entries; the finding identity-half-recorded warns before \
        the launch that would wipe the data.
        """,
      certainty: .inferred, sources: [ExplanationSource.appAuthors]),
    .term(
      "purge",
      synonyms: ["reset", "past wipe", "wipe", "NSCloudKitMirroringDelegate.reset"],
      """
      The mirror deletes local rows, or its metadata about them, and starts over, as author \
      NSCloudKitMirroringDelegate.reset. These deletions aren't uploaded.
      """,
      causes: [
        "The history token expired",
        "The iCloud account changed",
        "The user deleted the app's iCloud data",
        "A shared zone was deleted",
      ], listed: .causes,
      advice: """
        The finding past-wipe shows when it happened and how many rows were deleted; restore lost rows from \
        a backup of the app or the device.
        """,
      certainty: .inferred, sources: [ExplanationSource.appAuthors]),
    .term(
      "resync",
      synonyms: ["reset sync", "resync --pull", "resync --push", "resync --rescan"],
      """
      Makes the mirror redo its work: download everything again (--pull), upload everything again under the \
      same names (--push), or process all history again (--rescan). Names are kept, so nothing is duplicated.
      """,
      advice: """
        Start with the least invasive option that helps. Deleting the mirror's rows by hand gives every \
        object a new name, which creates duplicates on all devices.
        """,
      certainty: .inferred, sources: [ExplanationSource.appAuthors]),
    .term(
      "duplicates",
      synonyms: ["duplicate", "duplicate objects", "duplicate record"],
      "Two objects, and two records, for one thing.",
      causes: [
        "Each device created its own default data before the first import",
        "Mirror metadata was deleted, so objects were uploaded under new names",
        "The app and an extension both sync the same store",
      ],
      advice: "Merge them in code by a natural key; CloudKit can't enforce uniqueness.",
      resolves: .no("Each device has to keep merging."),
      certainty: .documented, sources: [ExplanationSource.tn3164, ExplanationSource.cloudKitModel]),
    .term(
      "move receipt",
      synonyms: ["record zone move receipt", "ANSCKRECORDZONEMOVERECEIPT"],
      """
      A note that an object moved to another zone, for example because it was shared, and that the record in \
      the old zone must still be deleted.
      """,
      causes: ["An object was shared with share(_:to:completion:)"],
      advice: "'storescope pending STORE' lists the pending ones.",
      resolves: .sometimes("The next successful export deletes the old record."),
      certainty: .inferred, sources: [ExplanationSource.appAuthors]),
    .term(
      "share",
      synonyms: ["CKShare", "sharing", "shared zone"],
      """
      CloudKit's permission for other people to see or change records. The mirror creates a zone per share \
      and moves the shared objects into it.
      """,
      causes: [
        "Many shares use up zones; a container has at most 1000",
        "When the owner ends a share, the participants' local rows are deleted",
      ],
      advice: "Reuse existing shares, and purge empty ones with purgeObjectsAndRecordsInZone.",
      certainty: .documented, sources: [ExplanationSource.cloudKit("ckshare"), ExplanationSource.tn3164]),
    .term(
      "production schema",
      synonyms: [
        "development schema",
        "schema",
        "deploy schema",
        "development environment",
        "production environment",
      ],
      """
      CloudKit keeps two environments: builds from Xcode use development, which adds new types \
      automatically; TestFlight and the App Store use production, which doesn't. A store doesn't record \
      which environment it was used with.
      """,
      causes: [
        "Sync works in debug builds and fails silently after release: the schema wasn't deployed",
        "The device was used with both, so the mirror treats records as uploaded that production never got",
      ],
      advice: """
        Deploy Schema Changes in the CloudKit Console before every release that changes the model; deployed \
        types and fields can't be removed.
        """,
      certainty: .observed, sources: [ExplanationSource.deployingSchema, ExplanationSource.tn3164]),
    .term(
      "sync switch",
      synonyms: [
        "toggle sync",
        "toggle",
        "turn off sync",
        "disable sync",
        "cloudKitContainerOptions",
        "switch sync off", "optionsRemoved", "plainContainer", "twoContainers",
      ],
      """
      Apps turn sync off by loading the store without cloudKitContainerOptions (SwiftData: cloudKitDatabase \
      none), or by keeping a local and a mirrored store; the user can turn iCloud off for the app.
      """,
      causes: [
        """
        The mirror's tables stay in the file; objects deleted in the meantime are deleted on the server once sync \
        is on again with the same account
        """,
        "Data written while nobody is signed in is uploaded to whichever account signs in next",
        "Copying objects between two stores gives them new names, which creates duplicates",
      ],
      advice: """
        Keep persistent history on in both states, load the store with one container at a time, and compare \
        'storescope records STORE' before and after.
        """,
      certainty: .observed, sources: [ExplanationSource.appAuthors]),
    .term(
      "mirroring delegate",
      synonyms: ["NSCloudKitMirroringDelegate", "mirror", "mirroring"],
      """
      The part of NSPersistentCloudKitContainer, and of SwiftData, that copies a store to CloudKit and back. \
      Its metadata is in the ANSCK… tables of the same file.
      """,
      advice: """
        'storescope mirror STORE' shows its state; 'storescope mirror STORE --table NAME' shows any of its tables.
        """,
      certainty: .observed, sources: [ExplanationSource.tn3163]),
    .term(
      "export tables",
      synonyms: ["ANSCKEXPORTOPERATION", "ANSCKEXPORTEDOBJECT", "ANSCKEXPORTMETADATA", "dead table"],
      """
      Three tables of the mirror that current systems create but neither fill nor read. Their row counts have \
      nothing to do with pending changes.
      """,
      advice: "Use 'storescope pending STORE' instead.",
      certainty: .inferred, sources: [ExplanationSource.appAuthors]),
    .term(
      "raw SQL",
      synonyms: ["raw sql edit", "sql edit"],
      """
      Changing rows with SQLite directly. Core Data records no history for it, so the mirror never uploads \
      the change, and an import may overwrite it.
      """,
      advice: "Change data through Core Data; storescope writes only with its planned operations.",
      certainty: .observed, sources: [ExplanationSource.appAuthors]),
  ]
}
