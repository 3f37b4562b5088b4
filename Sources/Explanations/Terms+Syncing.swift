extension Terms {
  /// What happens when a store syncs, and what goes wrong.
  static let syncing: [Explanation] = [
    .term(
      "event",
      synonyms: ["events", "ANSCKEVENT", "eventChangedNotification", "sync event"],
      """
      One setup, import or export as the mirror logs it: begin, end, success, and the domain and code of \
      the outermost error. An end that is missing means running, or a process that died.
      """,
      advice: """
        `storescope events` explains each. Succeeded events don't prove that everything is uploaded; \
        `storescope pending` does.
        """,
      certainty: .observed, sources: [ExplanationSource.coreData("nspersistentcloudkitcontainer/event")]),
    .term(
      "setup event",
      synonyms: ["setup"],
      """
      The mirror's preparation at each launch: account, container, zone, subscription, and repairs of its \
      own tables. Nothing is sent or fetched before it succeeds.
      """,
      causes: [
        """
        Fails at every launch: account problem (134400), model that CloudKit can't take (134060), wrong \
        container
        """
      ],
      advice: "Treat the error of the first failed setup; after a store was replaced it may take minutes.",
      resolves: .sometimes("It is tried again at each launch and after account changes."),
      certainty: .observed,
      sources: [ExplanationSource.coreData("nspersistentcloudkitcontainer/event"), ExplanationSource.tn3163]),
    .term(
      "import event",
      synonyms: ["import"],
      """
      Fetching changes from the server into the store. One import can bring very many rows in steps, so a \
      long one isn't a stuck one.
      """,
      causes: ["Started by a push notification, at launch, or by polling in the public database"],
      advice: "`storescope history --author NSCloudKitMirroringDelegate.import` shows what came.",
      certainty: .observed,
      sources: [ExplanationSource.coreData("nspersistentcloudkitcontainer/event"), ExplanationSource.tn3163]),
    .term(
      "export event",
      synonyms: ["export"],
      "Sending local changes to the server, in batches of at most 400 objects. The system decides when.",
      causes: ["Scheduled after a save, when the app becomes active, and when it goes to the background"],
      advice: "Compare failed exports in `storescope events` with what `storescope pending` still shows.",
      certainty: .observed,
      sources: [ExplanationSource.coreData("nspersistentcloudkitcontainer/event"), ExplanationSource.tn3163]),
    .term(
      "import relationship",
      synonyms: ["pending relationship", "pending import relationship", "ANSCKIMPORTPENDINGRELATIONSHIP"],
      """
      A relationship of an imported object to one whose record has not arrived. It is tried again with \
      later imports.
      """,
      causes: ["A child arrived before its parent", "The other record was deleted on the server"],
      advice: """
        Code must cope with relationships that are nil for a while; import-relationship-stuck tells about \
        old ones.
        """,
      resolves: .sometimes("It is filled in when the record arrives."),
      certainty: .observed, sources: [ExplanationSource.appAuthors]),
    .term(
      "throttling",
      synonyms: ["throttle", "throttled", "rate limit", "429"],
      """
      The server or the system holds back an app that syncs too much: CKErrorDomain 6 and 7 in bursts, \
      then silence for minutes or hours. There is no API to ask or to speed it up.
      """,
      causes: [
        "Thousands of objects changed in a short time",
        "The app changes objects in answer to imports, which makes new exports on every device",
      ],
      advice: """
        Wait and don't relaunch; write large data sets in batches over time, and save only real changes.
        """,
      resolves: .yes("Sync continues by itself when the throttle expires."),
      certainty: .documented, sources: [ExplanationSource.tn3162, ExplanationSource.tn3164]),
    .term(
      "quota",
      synonyms: ["iCloud storage", "storage full"],
      """
      The storage that an account or a container has. When it is used up, uploads fail with CKErrorDomain \
      25 while downloads go on.
      """,
      causes: ["The user's iCloud storage is full", "Large binary values in mirrored attributes"],
      advice: "Tell the user; keep values that needn't sync in another store or entity.",
      resolves: .no("Uploads continue only when there is storage again."),
      certainty: .documented, sources: [ExplanationSource.cloudKit("ckerror/code/quotaexceeded")]),
    .term(
      "limits",
      synonyms: ["limit", "CloudKit limit", "1 MB", "256 fields"],
      """
      CloudKit's bounds: 1 MB for a record without assets, 256 fields for a record type, 1000 zones for a \
      container, about 400 items for an operation.
      """,
      advice: """
        `storescope doctor` reports record-near-limit; large attributes belong into external storage, shares \
        should be reused.
        """,
      certainty: .documented, sources: [ExplanationSource.tn3164]),
    .term(
      "partial failure",
      synonyms: ["partialErrors", "CKPartialErrorsByItemIDKey"],
      """
      CKErrorDomain 2: some items of an operation failed and each has its own error, which only the \
      running app and its log see. The store keeps the code 2 alone.
      """,
      advice: "See `storescope explain 'CKErrorDomain 2'`, and what stays in `storescope pending`.",
      certainty: .observed, sources: [ExplanationSource.cloudKit("ckerror/code/partialfailure")]),
    .term(
      "identity",
      synonyms: [
        "account identity", "iCloud identity", "user record", "account change",
        "NSCloudKitMirroringDelegateCheckedCKIdentityDefaultsKey",
        "NSCloudKitMirroringDelegateCKIdentityRecordNameDefaultsKey",
      ],
      """
      The iCloud account that a store was mirrored with, which the mirror notes by the name of the user's \
      record. If it changes, the mirror deletes the local rows and starts again.
      """,
      causes: [
        "The user signed out or changed accounts",
        "A store that only half remembers its account: checked, but without a name",
      ],
      advice: """
        Never delete one of the two identity entries alone; the finding identity-half-recorded warns before \
        the launch that would wipe.
        """,
      certainty: .inferred, sources: [ExplanationSource.appAuthors]),
    .term(
      "purge",
      synonyms: ["reset", "past wipe", "wipe", "NSCloudKitMirroringDelegate.reset"],
      """
      The mirror deletes local rows or its own notes about them and begins anew, as author \
      NSCloudKitMirroringDelegate.reset. These deletions are not uploaded.
      """,
      causes: [
        "The history token expired",
        "The iCloud account changed",
        "The user deleted the app's iCloud data",
        "A shared zone was deleted",
      ],
      advice: """
        The finding past-wipe shows when it happened and how many rows went; backups made by the app's or \
        the device's user are the way back.
        """,
      certainty: .inferred, sources: [ExplanationSource.appAuthors]),
    .term(
      "resync",
      synonyms: ["reset sync", "resync --pull", "resync --push", "resync --rescan"],
      """
      Making the mirror work again on what it has: fetch all again (--pull), send all again under the same \
      names (--push), or look at all history again (--rescan). Names are kept, so nothing is duplicated.
      """,
      advice: """
        Begin with the smallest that helps. Deleting the mirror's rows by hand gives every object a new \
        name, and so duplicates on all devices.
        """,
      certainty: .inferred, sources: [ExplanationSource.appAuthors]),
    .term(
      "duplicates",
      synonyms: ["duplicate", "duplicate objects", "duplicate record"],
      "Two objects, and two records, for one thing.",
      causes: [
        "Each device made its own default data before the first import",
        "Mirror metadata was deleted, so that objects were uploaded under new names",
        "App and extension both sync the same store",
      ],
      advice: "Merge them in code by a natural key; CloudKit can't enforce uniqueness.",
      resolves: .no("Each device has to keep merging."),
      certainty: .documented, sources: [ExplanationSource.tn3164, ExplanationSource.cloudKitModel]),
    .term(
      "move receipt",
      synonyms: ["record zone move receipt", "ANSCKRECORDZONEMOVERECEIPT"],
      """
      A note that an object moved to another zone, as when it is shared, and that the record in the old \
      zone is still to be deleted.
      """,
      causes: ["An object was shared with share(_:to:completion:)"],
      advice: "`storescope pending` lists those that wait.",
      resolves: .sometimes("The next successful export deletes the old record."),
      certainty: .inferred, sources: [ExplanationSource.appAuthors]),
    .term(
      "share",
      synonyms: ["CKShare", "sharing", "shared zone"],
      """
      CloudKit's permission for other people to see or change records. The mirror makes a zone of its own \
      for each share and moves the shared objects into it.
      """,
      causes: [
        "Many shares use up zones, of which a container has at most 1000",
        "When the owner ends a share, the participants' local rows go",
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
      CloudKit keeps two environments: builds from Xcode use development, which learns new types by \
      itself; TestFlight and the App Store use production, which doesn't. A store doesn't tell which one \
      it was used with.
      """,
      causes: [
        "Sync works in debug builds and silently fails after release: the schema was not deployed",
        "The device was used with both, so the mirror believes things sent that production never got",
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
      Apps switch sync off by loading the store without cloudKitContainerOptions (SwiftData: \
      cloudKitDatabase none), or by keeping a local and a mirrored store; the user can switch iCloud off \
      for the app.
      """,
      causes: [
        """
        The mirror's tables stay in the file and wait; what is deleted meanwhile is deleted on the server \
        when sync is on again with the same account
        """,
        "What is written while nobody is signed in goes to whichever account signs in next",
        "Copying objects between two stores gives them new names, and so duplicates",
      ],
      advice: """
        Keep persistent history on in both states, load the store with one container at a time, and compare \
        `storescope records` before and after.
        """,
      certainty: .observed, sources: [ExplanationSource.appAuthors]),
    .term(
      "mirroring delegate",
      synonyms: ["NSCloudKitMirroringDelegate", "mirror", "mirroring"],
      """
      The part of NSPersistentCloudKitContainer, and of SwiftData, that copies a store to CloudKit and \
      back. Its notes lie in the tables ANSCK… of the same file.
      """,
      advice: "`storescope mirror` shows its state, `storescope mirror --table NAME` any of its tables.",
      certainty: .observed, sources: [ExplanationSource.tn3163]),
    .term(
      "export tables",
      synonyms: ["ANSCKEXPORTOPERATION", "ANSCKEXPORTEDOBJECT", "ANSCKEXPORTMETADATA", "dead table"],
      """
      Three tables of the mirror that current systems make but neither fill nor read. Counting their rows \
      says nothing about what waits to be sent.
      """,
      advice: "Use `storescope pending` instead.",
      certainty: .inferred, sources: [ExplanationSource.appAuthors]),
    .term(
      "raw SQL",
      synonyms: ["raw sql edit", "sql edit"],
      """
      Changing rows with SQLite directly. Core Data writes no history for it, so the mirror never uploads \
      the change, and an import may overwrite it.
      """,
      advice: "Change data through Core Data; storescope writes only with its planned operations.",
      certainty: .observed, sources: [ExplanationSource.appAuthors]),
  ]
}
