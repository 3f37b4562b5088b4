/// Terms that people come across when a store syncs.
package enum Terms {
  static let all = store + history + records + syncing + launch + tool + states
}

extension Terms {
  /// The words that results use for states, kinds, flags and layouts.
  static let states = tokenStates + recordStates + verdicts + layouts + kinds

  private static let tokenStates: [Explanation] = [
    token(
      "current",
      "The history token is at the app's last transaction: nothing is left to process.",
      advice: "Nothing to do. Processed changes may still be pending: see 'storescope pending STORE'."),
    token(
      "behind",
      "The app saved transactions after the history token's transaction: the next export will process them.",
      causes: ["The app saved after the last export, which is normal", "Exports don't run"],
      advice: "'storescope pending STORE' lists the objects under unanalyzed; investigate if they get old.",
      resolves: .yes("The next export moves the token.")),
    token(
      "ahead",
      """
      The history token refers to a transaction newer than any in the store. The mirror treats it as expired.
      """,
      causes: [
        "The store was replaced by an older copy", "The store was copied without its -wal file",
        "History was deleted completely and its numbering restarted",
      ],
      advice: "Before the app is launched, back up the store and see 'storescope resync STORE --rescan'.",
      resolves: .no("The next launch deletes the local rows and downloads everything.")),
    token(
      "expired",
      """
      The exact transaction that the history token refers to is gone from the store. The mirror then can't \
      determine what changed since (NSCocoaErrorDomain 134301).
      """,
      causes: ["The app deleted history that the mirror still needed", "History was edited with raw SQL"],
      advice: "Before the app is launched, back up the store and see 'storescope resync STORE --rescan'.",
      resolves: .no("The next launch deletes the local rows and downloads everything.")),
    token(
      "foreign",
      """
      The history token contains only the UUIDs of other stores, not this store's, so exports stop (134501).
      """,
      causes: ["The store's UUID was changed", "The mirror's tables were copied from another store"],
      advice: "Back up the store, then see 'storescope resync STORE --rescan'.",
      resolves: .no("It stays until the token is removed.")),
    token(
      "missing", "There is no history token: the mirror has processed nothing, or is starting over.",
      causes: ["No export has run yet", "The token was removed so that all history is processed again"],
      advice: """
        Nothing to do if the store is new to the mirror; otherwise check 'storescope events STORE' for failed \
        setups.
        """,
      resolves: .yes("The next export writes a token.")),
    token(
      "unreadable", "The bytes stored as the history token aren't an archive of a token.",
      causes: [
        "The entry was damaged or edited",
        "A newer system writes it in a format that storescope doesn't support",
      ],
      advice: "'storescope mirror STORE --json' shows why; back up the store before the app is launched.",
      resolves: .sometimes("A newer system may be able to read it.")),
  ]

  private static func token(
    _ state: String, _ meaning: String, causes: [String] = [], advice: String,
    resolves: Explanation.Resolution = .doesNotApply
  ) -> Explanation {
    .term(
      state, synonyms: ["token \(state)", "\(state) token"], meaning,
      causes: causes, advice: advice, resolves: resolves, certainty: .inferred,
      sources: [ExplanationSource.persistentHistory, ExplanationSource.historyPurgeReport])
  }

  private static let recordStates: [Explanation] = [
    .term(
      "uploaded", synonyms: ["record uploaded"],
      """
      A record that the server has, with nothing flagged for upload. Its object may have changed since, \
      without the mirror having processed the change.
      """,
      advice: "'storescope pending STORE' shows such changes as unanalyzed.",
      certainty: .observed, sources: [ExplanationSource.appAuthors]),
    .term(
      "delete leftover", synonyms: ["deleteLeftover", "record-delete-leftover"],
      "A record that was deleted on the server, but whose row in the mirror is still there.",
      causes: ["An export ended between the two steps"], advice: "Nothing to do: the row is harmless.",
      resolves: .yes("The next export removes the row."), certainty: .inferred,
      sources: [ExplanationSource.appAuthors]),
    .term(
      "link delete", synonyms: ["linkDelete"],
      """
      A link of a many-to-many relationship that was removed here; the deletion of its record on the server \
      is pending.
      """,
      causes: ["The link was removed after the last export, which is normal"],
      advice: "'storescope pending STORE' lists it with both ends.",
      resolves: .sometimes("The next successful export deletes it."), certainty: .observed,
      sources: [ExplanationSource.appAuthors]),
  ]

  private static let kinds: [Explanation] = [
    .term(
      "change", synonyms: ["insert", "update", "delete", "history change", "changes"],
      """
      One object's part in a transaction of persistent history: it was inserted, updated (with the names of \
      the properties) or deleted (with its tombstone).
      """,
      advice:
        """
        'storescope history STORE' lists them; 'storescope trace STORE OBJECT' shows them in one timeline with the \
        mirror's events.
        """,
      certainty: .documented,
      sources: [ExplanationSource.coreData("nspersistenthistorychange")]),
    .term(
      "zone flags",
      synonyms: [
        "hasRecordZone", "hasSubscription", "needsImport", "needsShareUpdate", "needsShareDelete",
        "needsNewShareInvitation", "needsRecoveryFromIdentityLoss", "needsRecoveryFromZoneDelete",
        "needsRecoveryFromUserPurge", "supportsFetchChanges", "supportsAtomicChanges",
        "supportsRecordSharing",
        "supportsZoneSharing", "zone flag", "zone-needs-recovery",
      ],
      """
      The mirror's notes about a zone: has… flags list what exists on the server, supports… flags list what \
      the zone can do, needs… flags list what is still pending: an import, a share's update or deletion, a \
      new invitation, a recovery.
      """,
      causes: ["A flag that begins with needs stays until the next import or export has done that work"],
      advice: """
        Even healthy zones have no subscription, because the database has it; check 'storescope events STORE' if a \
        recovery flag is old.
        """,
      certainty: .observed, sources: [ExplanationSource.appAuthors]),
    .term(
      "control entry",
      synonyms: [
        "NSCloudKitMirroringDelegateBypassHistoryOnExportKey",
        "NSCloudKitMirroringDelegateScanForRowsMissingFromHistoryKey",
        "PFCloudKitMetadataNeedsMetadataMigrationKey",
        "metadata-control-left",
      ],
      """
      A metadata entry with an instruction for the mirror's next launch or export: treat all history as the \
      app's, look for rows missing from history, or migrate the mirror's tables.
      """,
      advice: "Nothing to do, unless it is still there after several successful exports.",
      resolves: .yes("The mirror clears it when the work is done."), certainty: .inferred,
      sources: [ExplanationSource.appAuthors]),
    .term(
      "certainty", synonyms: ["documented", "observed", "inferred", "how sure", "confidence"],
      """
      How an explanation is known: documented by Apple or SQLite, observed by app authors, or inferred from \
      how stores and apps behave.
      """,
      advice: "Verify inferred explanations on a copy of the store before relying on them.",
      certainty: .documented, sources: [ExplanationSource.cloudKitErrors]),
  ]
}

extension Terms {
  /// The state of a mirror as a whole.
  static let verdicts: [Explanation] = [
    verdict(
      "idle", "Nothing is pending.",
      advice: "Nothing to do. If another device is missing something, check that device's imports.",
      resolves: .doesNotApply),
    verdict(
      "waiting", "Changes are pending, and nothing seems to block them.",
      causes: ["The app saved seconds to minutes ago, which is normal", "The system defers exports"],
      advice:
        "'storescope pending STORE' shows since when; relaunching the app again and again doesn't help.",
      resolves: .yes("The next successful export sends it.")),
    verdict(
      "blocked", "Pending changes aren't uploaded until something else happens; see the verdict's reasons.",
      causes: [
        "Setup or exports end with the same error again and again",
        "The account changed, or its storage is full",
        "The history token can't be used",
      ],
      advice:
        "Resolve the first reason in 'storescope pending STORE'; look its code up with 'storescope explain'.",
      resolves: .sometimes("It depends on the reason.")),
    verdict(
      "neverSetUp",
      "The store has the mirror's tables, but setup has never succeeded: nothing was ever uploaded.",
      causes: [
        "No iCloud account", "A wrong container or entitlement",
        "A model that isn't compatible with CloudKit",
      ],
      advice: "'storescope events STORE' shows the error of the first setup.",
      resolves: .sometimes("Setup is retried at each launch.")),
    verdict(
      "notMirrored",
      "The store has none of the mirror's tables: NSPersistentCloudKitContainer never loaded it.",
      causes: [
        "A plain container loads it",
        "It was never given cloudKitContainerOptions, or the mirrored store is a different file",
      ], listed: .causes,
      advice: "Check that it is the right file; an app may keep a local and a mirrored store.",
      resolves: .doesNotApply),
    .term(
      "unknown", synonyms: [],
      """
      The store doesn't record it. As a verdict: the tables are too old or too damaged to determine pending \
      changes; as a layout: no known system creates these tables; after a number in brackets: no known \
      system writes that number.
      """,
      causes: ["A system newer than this program", "An old beta", "Damage"], listed: .causes,
      advice:
        """
        'storescope mirror STORE' lists anything unusual; 'storescope mirror STORE --table NAME' shows any table as it is.
        """,
      certainty: .inferred, sources: [ExplanationSource.appAuthors]),
  ]

  private static func verdict(
    _ state: String, _ meaning: String, causes: [String] = [], listed: Explanation.Listed? = nil,
    advice: String,
    resolves: Explanation.Resolution
  ) -> Explanation {
    .term(
      state, synonyms: [], meaning, causes: causes, listed: listed, advice: advice, resolves: resolves,
      certainty: .inferred, sources: [ExplanationSource.appAuthors])
  }

  /// Generations of the mirror's tables.
  static let layouts: [Explanation] = [
    .term(
      "V17", synonyms: ["layout V17"],
      """
      The mirror's tables as iOS 26 and newer systems create them: encoded records, system fields and shares are in \
      separate tables.
      """,
      advice: "Nothing to do: the system that opens the store brings its tables up to date.",
      certainty: .observed, sources: [ExplanationSource.appAuthors]),
    .term(
      "V16", synonyms: ["layout V16"],
      """
      The mirror's tables as iOS 16 to 18 and the other systems of those years create them: encoded records \
      are in the rows of the records.
      """,
      advice: "Nothing to do: the system that opens the store brings its tables up to date.",
      certainty: .observed, sources: [ExplanationSource.appAuthors]),
    .term(
      "layout",
      synonyms: ["table layout", "layouts"] + (4...15).flatMap { ["V\($0)", "layout V\($0)"] },
      """
      The generation of the mirror's tables, recognized by their columns. V4 to V15 are from systems before \
      iOS 16; below V8 no flag marks pending changes, and events aren't recorded.
      """,
      causes: ["An old layout means that no newer system has opened the store since"],
      advice: "If you need more information, open a copy of the store with the app on a current system.",
      certainty: .inferred, sources: [ExplanationSource.appAuthors]),
  ]
}
