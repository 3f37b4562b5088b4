extension CocoaErrors {
  /// The CloudKit mirror's own codes. None has a public name, and Apple shows only 134406, 134410 and 134417,
  /// as examples in its technotes.
  static let mirroring: [Explanation] = [
    .mirroring(
      134400,
      """
      Mirroring could not be set up: the iCloud account, the container or the app's rights don't allow it \
      now. Nothing is deleted for this error, and the code alone doesn't say which of the causes it was.
      """,
      causes: [
        "Nobody is signed in to iCloud on the device or simulator",
        "The account is restricted, or temporarily unavailable",
        "The account's state could not be determined",
        "The container identifier or the entitlement is wrong, or the build is unsigned",
        "The record zone or the subscription is missing on the server",
      ],
      advice: "Keep the data, look for the reason in the log, and let setup run again after signing in.",
      resolves: .sometimes(
        """
        Setup is tried again when the account becomes available; a wrong container or entitlement stays \
        wrong.
        """),
      concern: .account, certainty: .observed, sources: [ExplanationSource.appAuthors]),
    .mirroring(
      134402,
      "Reading, writing or migrating the mirror's metadata failed with an exception.",
      causes: [
        "A stored token or archive can't be decoded",
        "The mirror's tables don't have the form that this system expects",
      ],
      advice: """
        Back up the store, then check it with `storescope doctor` and `storescope mirror`; `storescope \
        resync --pull` renews the change tokens.
        """,
      resolves: .no("Damaged metadata stay damaged."),
      certainty: .inferred, sources: [ExplanationSource.none]),
    .mirroring(
      134403,
      "The folder for large values to be uploaded, NAME_ckAssets next to the store, could not be made.",
      causes: ["The folder of the store can't be written", "The disk is full"],
      advice: "Check permissions and free space of the folder that holds the store.",
      resolves: .sometimes("It passes when the folder can be written."),
      certainty: .inferred, sources: [ExplanationSource.none]),
    .mirroring(
      134404,
      "An import ended because it collided with another one or was cancelled.",
      causes: ["Another import was already active", "The import was cancelled"],
      advice: "Look whether a later import succeeded; only repetitions matter.",
      resolves: .yes("The next import does the work."),
      certainty: .inferred, sources: [ExplanationSource.none]),
    .mirroring(
      134405,
      """
      The iCloud account isn't the one that this store was mirrored with, or the store doesn't know with \
      which. The mirror then deletes all local rows and starts again with the current account.
      """,
      causes: [
        "The user signed out of iCloud or signed in with another account",
        """
        The store says that the account was checked but has no account name (finding \
        identity-half-recorded)
        """,
        "Mirror metadata was removed by hand and only partly",
      ],
      advice: """
        Back up the store before the next launch; signing in with the former account again brings its data \
        back from the server.
        """,
      resolves: .sometimes(
        """
        Sync continues with the current account; local changes that were not uploaded are lost.
        """),
      concern: .account, certainty: .inferred, sources: [ExplanationSource.none]),
    .mirroring(
      134406,
      """
      A request was aborted because mirroring was never set up successfully. The reason is a different, \
      earlier error, which the message in the log quotes.
      """,
      causes: [
        "Setup failed, for example because a record type or field is missing in the CloudKit schema",
        "The production schema was not deployed",
        "A share was made, or a zone asked for, before setup had finished",
      ],
      advice: """
        Find the setup event that failed first with `storescope events` and treat its error; deploy the \
        schema if only the App Store or TestFlight build is affected.
        """,
      resolves: .sometimes("It ends when setup succeeds."),
      certainty: .documented, sources: [ExplanationSource.tn3164]),
    .mirroring(
      134407,
      "A request was cancelled because its store was removed from the coordinator.",
      causes: [
        "The app was quitting, or replaced its container",
        "The app switched sync off and on by loading the store again",
        "The text about a conflict with another active import is also seen with this code",
      ],
      advice: """
        Ignore single ones; many in a row mean that the app loads and unloads the store again and again.
        """,
      resolves: .yes("The work is done after the store is loaded again."),
      certainty: .observed, sources: [ExplanationSource.appAuthors], isNoise: true),
    .mirroring(
      134409,
      "A request met an error from which the mirror can recover; it is going to be tried again.",
      causes: [
        "A temporary error of the server or the network",
        "A change token or zone that has to be renewed first",
      ],
      advice: """
        Look at the underlying error in the log, and whether a later event of the same type succeeded.
        """,
      resolves: .yes("The request is repeated."),
      certainty: .inferred, sources: [ExplanationSource.none]),
    .mirroring(
      134410,
      """
      An error from which the mirror can't recover in this run. Apple's technote shows the code for a \
      second container on the same store.
      """,
      causes: [
        """
        Two NSPersistentCloudKitContainer instances have the same store loaded, in one process or in app \
        and extension (newer systems report that as 134422)
        """,
        "A temporary object ID got into the mirror's metadata",
        "An export was started while one was running",
        "Another underlying error that the log names",
      ],
      advice: """
        Let exactly one container, the app's, do the syncing; check the findings about temporary object IDs; \
        take the reason from the log.
        """,
      resolves: .sometimes(
        """
        The next launch tries again; a second container or a bad ID has to be removed first.
        """),
      certainty: .documented, sources: [ExplanationSource.tn3164]),
    .mirroring(
      134411,
      "The mirror could not cut its changes small enough for CloudKit's limits.",
      causes: [
        "One object is too large by itself",
        "Very large values are kept as text or small binary data",
      ],
      advice: """
        Look for the largest objects with the finding record-near-limit, and move large values to attributes \
        with external storage.
        """,
      resolves: .no("The object stays too large."),
      certainty: .inferred, sources: [ExplanationSource.tn3164]),
    .mirroring(
      134412,
      """
      One end of a many-to-many link that came from the server is missing here. The mirror marks the link \
      as done and goes on.
      """,
      causes: ["The record at one end has not arrived or was deleted"],
      advice: """
        Watch `link-broken` and `link-stuck` in `storescope doctor`; `storescope resync --pull` fetches what \
        is missing.
        """,
      resolves: .sometimes("The link is complete if the record arrives later with a change."),
      certainty: .inferred, sources: [ExplanationSource.none]),
    .mirroring(
      134413,
      """
      The object at one end of a many-to-many link could not be found. The mirror marks the link as done \
      and goes on.
      """,
      causes: ["The object was deleted locally", "Record metadata name a row that is gone"],
      advice: "Watch `link-broken` and `record-orphaned` in `storescope doctor`.",
      resolves: .sometimes("The link is complete if the object comes back."),
      certainty: .inferred, sources: [ExplanationSource.none]),
    .mirroring(
      134415,
      "A notice that the iCloud account changed.",
      causes: ["The user signed in, signed out or changed accounts"],
      advice: "Look at the setup events that follow; data is at risk only if 134405 appears.",
      resolves: .yes("Setup runs again."),
      certainty: .inferred, sources: [ExplanationSource.none], isNoise: true),
    .mirroring(
      134416,
      "A notice that the iCloud identity of the user was updated.",
      causes: ["The system told the app about a change of identity"],
      advice: "Look at the setup events that follow; data is at risk only if 134405 appears.",
      resolves: .yes("Setup runs again."),
      certainty: .inferred, sources: [ExplanationSource.none], isNoise: true),
    .mirroring(
      134417,
      "A request was cancelled because one of the same type was already waiting.",
      causes: ["Several saves, or coming to the foreground, asked for an export while one was queued"],
      advice: "Ignore it as long as later events of the same type succeed.",
      resolves: .yes("The waiting request does the work."),
      certainty: .documented, sources: [ExplanationSource.tn3163], isNoise: true),
    .mirroring(
      134418,
      "Fetching certain records failed for some of them.",
      causes: ["Some records are missing on the server or can't be read"],
      advice: "Look for the records' own errors in the log.",
      resolves: .sometimes("It depends on the records' own errors."),
      certainty: .inferred, sources: [ExplanationSource.none]),
    .mirroring(
      134419,
      """
      The system put the work off, so the mirror stopped before or during it. Such events usually take no \
      time at all.
      """,
      causes: ["The system defers background work for battery, heat, load or the app's recent activity"],
      advice: "Ignore it; worry only if no event of that type has succeeded for days.",
      resolves: .yes("The system starts the work again later."),
      certainty: .observed, sources: [ExplanationSource.tn3163, ExplanationSource.appAuthors], isNoise: true),
    .mirroring(
      134420,
      "An exception ended the attempt to apply a record from the server to an object.",
      causes: [
        "A record has content that doesn't fit the model",
        "Custom code in the managed object class, its validation or its transformers throws",
      ],
      advice: "Find the record's name in the log, then `storescope trace NAME`.",
      resolves: .no("The same record fails again."),
      certainty: .inferred, sources: [ExplanationSource.none]),
    .mirroring(
      134421,
      """
      An exception that nothing handled ended a setup, an import, an export or the reading of history. At \
      least six different messages share this code.
      """,
      causes: [
        "In an export or import: one object or record with content that the mirror can't handle",
        "In the reading of history: a change of an entity that the model doesn't have",
        "In setup: damaged metadata",
        "Custom code in the app's model classes throws",
      ],
      advice: """
        Note the type of the event and the exception in the log; look at `storescope doctor`, and narrow it \
        down to one object with `storescope pending`.
        """,
      resolves: .no("It returns with the same data."),
      certainty: .inferred, sources: [ExplanationSource.none]),
    .mirroring(
      134422,
      "Another container in this process already syncs this store.",
      causes: [
        "The app made a second NSPersistentCloudKitContainer for the same file",
        "The former container was not released",
      ],
      advice: """
        Keep one container for each store, and release every object of the old one before making a new one.
        """,
      resolves: .sometimes("The other container goes on syncing; this one doesn't."),
      concern: .secondInstance, certainty: .inferred, sources: [ExplanationSource.tn3164]),
    .mirroring(
      134501,
      "The history token doesn't know this store, or two tokens can't be compared. Every export then fails.",
      causes: [
        "The store's UUID was changed, for example by copying the store under a new identity",
        "The mirror's metadata came from another store",
      ],
      advice: "Put the old UUID back, or let `storescope resync --rescan` remove the token.",
      resolves: .no("Nothing renews the token; exports fail until it is removed."),
      certainty: .inferred, sources: [ExplanationSource.none]),
    .mirroring(
      134502,
      "A connection for query generations, stable views of the database, failed.",
      causes: ["The store doesn't use WAL journaling", "The database was busy or being replaced"],
      advice: "Ignore single ones; keep the store in WAL mode if it happens all the time.",
      resolves: .sometimes("It passes unless the journal mode is wrong."),
      certainty: .inferred, sources: [ExplanationSource.queryGenerations], isNoise: true),
  ]
}
