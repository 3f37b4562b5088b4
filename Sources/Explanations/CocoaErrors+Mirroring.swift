extension CocoaErrors {
  /// The CloudKit mirror's own codes. None of them has a public name, and Apple shows only 134406, 134410 and 134417,
  /// as examples in its technotes.
  static let mirroring: [Explanation] = [
    .mirroring(
      134400,
      """
      Mirroring could not be set up: the iCloud account, the container or the app's permissions don't allow \
      it now. This error deletes nothing, and the code alone doesn't show the cause.
      """,
      causes: [
        "Nobody is signed in to iCloud on the device or simulator",
        "The account is restricted, or temporarily unavailable",
        "The account's state could not be determined",
        "The container identifier or the entitlement is wrong, or the build is unsigned",
        "The record zone or the subscription is missing on the server",
      ],
      advice: "Keep the data, look for the cause in the log, and let setup run again after signing in.",
      resolves: .sometimes(
        """
        Setup is retried when the account becomes available; a wrong container or entitlement has to be fixed.
        """),
      concern: .account, certainty: .observed, sources: [ExplanationSource.appAuthors]),
    .mirroring(
      134402,
      "Reading, writing or migrating the mirror's metadata failed with an exception.",
      causes: [
        "A stored token or archive can't be decoded",
        "The mirror's tables don't have the columns that this system expects",
      ],
      advice: """
        Back up the store, then check it with 'storescope doctor STORE' and 'storescope mirror STORE'; 'storescope \
        resync STORE --pull' clears the change tokens.
        """,
      resolves: .no("Damaged metadata remains damaged."),
      certainty: .inferred, sources: [ExplanationSource.none]),
    .mirroring(
      134403,
      "The folder for large values to upload, NAME_ckAssets next to the store, could not be created.",
      causes: ["The folder of the store can't be written", "The disk is full"],
      advice: "Check permissions and free space of the folder that holds the store.",
      resolves: .sometimes("It passes when the folder becomes writable."),
      certainty: .inferred, sources: [ExplanationSource.none]),
    .mirroring(
      134404,
      "An import ended because it collided with another import or was canceled.",
      causes: ["Another import was already active", "The import was canceled"],
      advice: "Check whether a later import succeeded; it matters only if it keeps happening.",
      resolves: .yes("The next import does the work."),
      certainty: .inferred, sources: [ExplanationSource.none]),
    .mirroring(
      134405,
      """
      The iCloud account differs from the account that this store was mirrored with, or the store doesn't \
      record that account. The mirror then deletes all local rows and starts over with the current account.
      """,
      causes: [
        "The user signed out of iCloud or signed in with another account",
        """
        The store records that the account was checked, but not which account it was (finding \
        identity-half-recorded)
        """,
        "Mirror metadata was removed by hand, but not all of it",
      ],
      advice: """
        Back up the store before the next launch; signing in to the previous account again downloads its \
        data from the server.
        """,
      resolves: .sometimes(
        """
        Sync continues with the current account; local changes that were not uploaded are lost.
        """),
      concern: .account, certainty: .inferred, sources: [ExplanationSource.none]),
    .mirroring(
      134406,
      """
      A request was aborted because mirroring was never set up successfully. The cause is an earlier error, \
      which the message in the log quotes.
      """,
      causes: [
        "Setup failed, for example because a record type or field is missing in the CloudKit schema",
        "The production schema was not deployed",
        "A share was created, or a zone was requested, before setup had finished",
      ],
      advice: """
        Find the first failed setup event with 'storescope events STORE' and resolve its error; deploy the schema \
        if only the App Store or TestFlight build is affected.
        """,
      resolves: .sometimes("It passes when setup succeeds."),
      certainty: .documented, sources: [ExplanationSource.tn3164]),
    .mirroring(
      134407,
      "A request was canceled because its store was removed from the coordinator.",
      causes: [
        "The app was quitting, or replaced its container",
        "The app switched sync off and on by loading the store again",
        "A message about a conflict with another active import can also come with this code",
      ],
      advice: """
        Ignore occasional ones; many in a row mean that the app keeps loading and unloading the store.
        """,
      resolves: .yes("The work is done once the store is loaded again."),
      certainty: .observed, sources: [ExplanationSource.appAuthors], isNoise: true),
    .mirroring(
      134409,
      "A request failed with an error from which the mirror can recover; it will be retried.",
      causes: [
        "A temporary error of the server or the network",
        "A change token or zone has to be renewed first",
      ],
      advice: """
        Look at the underlying error in the log, and check whether a later event of the same type succeeded.
        """,
      resolves: .yes("The request is repeated."),
      certainty: .inferred, sources: [ExplanationSource.none]),
    .mirroring(
      134410,
      """
      The mirror can't recover from this error in this run. Apple's technote shows the code for a second \
      container on the same store.
      """,
      causes: [
        """
        Two NSPersistentCloudKitContainer instances have the same store loaded, in one process or in the app \
        and an extension (newer systems report 134422 instead)
        """,
        "A temporary object ID got into the mirror's metadata",
        "An export was started while one was running",
        "Another underlying error, shown in the log",
      ],
      advice: """
        Let exactly one container, the app's, sync the store; check the findings about temporary object IDs; \
        look for the cause in the log.
        """,
      resolves: .sometimes(
        """
        The next launch tries again; a second container or a bad ID has to be removed first.
        """),
      certainty: .documented, sources: [ExplanationSource.tn3164]),
    .mirroring(
      134411,
      "The mirror could not split its changes into pieces small enough for CloudKit's limits.",
      causes: [
        "A single object is too large",
        "Very large values are kept as text or small binary data",
      ],
      advice: """
        Find the largest objects with the finding record-near-limit, and move large values to attributes \
        with external storage.
        """,
      resolves: .no("The object remains too large."),
      certainty: .inferred, sources: [ExplanationSource.tn3164]),
    .mirroring(
      134412,
      """
      One end of a many-to-many link from the server is missing here. The mirror marks the link as done and \
      continues.
      """,
      causes: ["The record at one end hasn't arrived or was deleted"],
      advice: """
        Watch 'link-broken' and 'link-stuck' in 'storescope doctor STORE'; 'storescope resync STORE --pull' fetches \
        missing records.
        """,
      resolves: .sometimes("The link is complete if the record arrives later with a change."),
      certainty: .inferred, sources: [ExplanationSource.none]),
    .mirroring(
      134413,
      """
      The object at one end of a many-to-many link could not be found. The mirror marks the link as done and \
      continues.
      """,
      causes: ["The object was deleted locally", "Record metadata refers to a row that is gone"],
      advice: "Watch 'link-broken' and 'record-orphaned' in 'storescope doctor STORE'.",
      resolves: .sometimes("The link is complete if the object comes back."),
      certainty: .inferred, sources: [ExplanationSource.none]),
    .mirroring(
      134415,
      "The iCloud account changed; this is a notification, not a failure.",
      causes: ["The user signed in, signed out or changed accounts"],
      advice: "Check the setup events that follow; data is at risk only if 134405 appears.",
      resolves: .yes("Setup runs again."),
      certainty: .inferred, sources: [ExplanationSource.none], isNoise: true),
    .mirroring(
      134416,
      "The user's iCloud identity was updated; this is a notification, not a failure.",
      causes: ["The system notified the app of a change of identity"],
      advice: "Check the setup events that follow; data is at risk only if 134405 appears.",
      resolves: .yes("Setup runs again."),
      certainty: .inferred, sources: [ExplanationSource.none], isNoise: true),
    .mirroring(
      134417,
      "A request was canceled because another request of the same type was already queued.",
      causes: ["Several saves, or coming to the foreground, requested an export while one was queued"],
      advice: "Ignore it as long as later events of the same type succeed.",
      resolves: .yes("The queued request does the work."),
      certainty: .documented, sources: [ExplanationSource.tn3163], isNoise: true),
    .mirroring(
      134418,
      "Some of the requested records could not be fetched.",
      causes: ["Some records are missing on the server or can't be read"],
      advice: "Look for the errors of the individual records in the log.",
      resolves: .sometimes("It depends on the errors of the individual records."),
      certainty: .inferred, sources: [ExplanationSource.none]),
    .mirroring(
      134419,
      """
      The system deferred the work, so the mirror stopped before or during it. These events usually last no \
      time at all.
      """,
      causes: [
        "The system defers background work because of the battery, heat, load or the app's recent activity"
      ],
      advice: "Ignore it unless no event of that type has succeeded for days.",
      resolves: .yes("The system starts the work again later."),
      certainty: .observed, sources: [ExplanationSource.tn3163, ExplanationSource.appAuthors], isNoise: true),
    .mirroring(
      134420,
      "An exception stopped the mirror from applying a record from the server to an object.",
      causes: [
        "A record's content doesn't fit the model",
        "Custom code in the managed object class, its validation or its transformers throws",
      ],
      advice: "Find the record's name in the log, then 'storescope trace STORE NAME'.",
      resolves: .no("The same record fails again."),
      certainty: .inferred, sources: [ExplanationSource.none]),
    .mirroring(
      134421,
      """
      An unhandled exception ended a setup, an import, an export or the reading of history. At least six \
      different messages share this code.
      """,
      causes: [
        "In an export or import: the mirror can't handle the content of an object or record",
        "While reading history: a change of an entity that the model doesn't have",
        "In setup: damaged metadata",
        "Custom code in the app's model classes throws",
      ],
      advice: """
        Note the type of the event and the exception in the log; run 'storescope doctor STORE', and narrow it down \
        to one object with 'storescope pending STORE'.
        """,
      resolves: .no("It recurs with the same data."),
      certainty: .inferred, sources: [ExplanationSource.none]),
    .mirroring(
      134422,
      "Another container in this process already syncs this store.",
      causes: [
        "The app created a second NSPersistentCloudKitContainer for the same file",
        "The previous container wasn't released",
      ],
      advice: """
        Keep one container per store, and release every object of the old container before creating a new one.
        """,
      resolves: .sometimes("It passes when the other container is gone; until then only that one syncs."),
      concern: .secondInstance, certainty: .inferred, sources: [ExplanationSource.tn3164]),
    .mirroring(
      134501,
      "The history token is for another store, or two tokens can't be compared. Every export then fails.",
      causes: [
        "The store's UUID was changed, for example by copying the store under a new identity",
        "The mirror's metadata came from another store",
      ],
      advice: "Restore the old UUID, or remove the token with 'storescope resync STORE --rescan'.",
      resolves: .no("The token isn't renewed; exports fail until it is removed."),
      certainty: .inferred, sources: [ExplanationSource.none]),
    .mirroring(
      134502,
      "A connection for query generations, stable views of the database, failed.",
      causes: ["The store doesn't use WAL journaling", "The database was busy or being replaced"],
      advice: "Ignore occasional ones; keep the store in WAL mode if it happens all the time.",
      resolves: .sometimes("It passes unless the store's journal mode isn't WAL."),
      certainty: .inferred, sources: [ExplanationSource.queryGenerations], isNoise: true),
  ]
}
