/// Words that people meet when a store syncs.
enum Terms {
  static let all = store + history + records + syncing + states
}

extension Terms {
  /// The words with which results tell how something stands: states, kinds, flags and layouts.
  static let states = tokenStates + recordStates + verdicts + layouts + kinds

  private static let tokenStates: [Explanation] = [
    token(
      "current",
      "The history token stands at the last transaction by the app: nothing is left to analyse.",
      advice: "Nothing. What was analysed may still wait to be sent: see `storescope pending`."),
    token(
      "behind",
      "The app saved transactions after the history token's: the next export will look at them.",
      causes: ["A normal state between a save and the next export", "It stays while exports don't run"],
      advice: "`storescope pending` lists the objects under unanalyzed; worry when they get old.",
      resolves: .yes("The next export moves the token.")),
    token(
      "ahead",
      "The history token names a transaction above all that the store has. The mirror takes it as expired.",
      causes: [
        "The store was replaced by an older copy", "The store was copied without its -wal file",
        "History was deleted to the last transaction and counted anew",
      ],
      advice: "Before the app is launched, back up the store and see `storescope resync --rescan`.",
      resolves: .no("The next launch deletes the local rows and downloads everything.")),
    token(
      "expired",
      """
      The transaction of exactly the history token's number is gone from the store. The mirror then can't \
      know what changed since (NSCocoaErrorDomain 134301).
      """,
      causes: ["The app deleted history that the mirror still needed", "History was edited with raw SQL"],
      advice: "Before the app is launched, back up the store and see `storescope resync --rescan`.",
      resolves: .no("The next launch deletes the local rows and downloads everything.")),
    token(
      "foreign",
      "The history token knows other stores only, not this one's UUID, so that exports stop (134501).",
      causes: ["The store's UUID was changed", "The mirror's tables were copied from another store"],
      advice: "Back up the store, then see `storescope resync --rescan`.",
      resolves: .no("It stays until the token is removed.")),
    token(
      "missing", "There is no history token: the mirror has analysed nothing, or begins anew.",
      causes: ["No export has run yet", "The token was removed to have all history looked at again"],
      advice: "Nothing, if the store is new to the mirror; else see `storescope events` for failed setups.",
      resolves: .yes("The next export writes one.")),
    token(
      "unreadable", "The bytes kept as the history token are no archive of one.",
      causes: ["The entry was damaged or edited", "A newer system writes it in a form not known here"],
      advice: "`storescope mirror --json` says why; back up the store before the app is launched.",
      resolves: .sometimes("A newer system may read what isn't known here.")),
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
      A record that the server has, with nothing marked to be sent. Its object may have changed since \
      without the mirror having looked at it.
      """,
      advice: "`storescope pending` shows such changes as unanalyzed.",
      certainty: .observed, sources: [ExplanationSource.appAuthors]),
    .term(
      "delete leftover", synonyms: ["deleteLeftover", "record-delete-leftover"],
      "A record whose deletion was sent to the server, while its row in the mirror is still there.",
      causes: ["An export ended between the two"], advice: "Nothing: the row does no harm.",
      resolves: .yes("The next export drops the row."), certainty: .inferred,
      sources: [ExplanationSource.appAuthors]),
    .term(
      "link delete", synonyms: ["linkDelete"],
      "A link of a many-to-many relationship that was removed here; its record on the server is to be deleted.",
      causes: ["A normal state between a save and the next export"],
      advice: "`storescope pending` lists it with both ends.",
      resolves: .sometimes("The next successful export does it."), certainty: .observed,
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
        "`storescope history` lists them; `storescope trace OBJECT` puts them beside what the mirror did.",
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
      What the mirror notes of a zone: has… for what exists on the server, supports… for what the zone can \
      do, needs… for what is still to be done: an import, a share's update or deletion, a new invitation, a \
      recovery.
      """,
      causes: ["A flag that begins with needs stays until the next import or export has done it"],
      advice: """
        Healthy zones have no subscription either, as the database has it; look at `storescope events` where \
        a flag for recovery is old.
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
      A metadata entry that tells the mirror what to do at the next launch or export: take all history as \
      the app's own, look for rows that history doesn't know, or migrate its own tables.
      """,
      advice: "Nothing, unless it is still there after several exports that succeeded.",
      resolves: .yes("The mirror clears it when it is done."), certainty: .inferred,
      sources: [ExplanationSource.appAuthors]),
    .term(
      "certainty", synonyms: ["documented", "observed", "inferred", "how sure"],
      """
      What an explanation rests on: documented by Apple or SQLite in public, observed by app authors, or \
      inferred from how stores and apps behave.
      """,
      advice: "Check what is inferred on a copy of the store before relying on it.",
      certainty: .documented, sources: [ExplanationSource.cloudKitErrors]),
  ]
}

extension Terms {
  /// How a mirror stands as a whole.
  static let verdicts: [Explanation] = [
    verdict(
      "idle", "Nothing waits to be sent to the server.",
      advice: "Nothing. If another device lacks something, look at its imports instead.",
      resolves: .doesNotApply),
    verdict(
      "waiting", "Something waits to be sent, and nothing is known to stand in its way but time.",
      causes: ["A normal state for seconds to minutes after a save", "The system defers exports"],
      advice: "`storescope pending` says since when; relaunching the app again and again doesn't help.",
      resolves: .yes("The next successful export sends it.")),
    verdict(
      "blocked", "What waits is not sent until something else happens, which the verdict's reasons name.",
      causes: [
        "Setup or exports end with the same error again and again", "The account changed or is full",
        "The history token can't be used",
      ],
      advice:
        "Treat the first of the reasons in `storescope pending`, with `storescope explain` on its code.",
      resolves: .sometimes("It depends on the reason.")),
    verdict(
      "neverSetUp",
      "The store has the mirror's tables, and its setup has never succeeded: nothing was ever sent.",
      causes: ["No iCloud account", "A wrong container or entitlement", "A model that CloudKit can't take"],
      advice: "`storescope events` shows the error of the first setup.",
      resolves: .sometimes("Setup is tried again at each launch.")),
    verdict(
      "notMirrored",
      "The store has none of the mirror's tables: NSPersistentCloudKitContainer never loaded it.",
      causes: [
        "A plain container loads it",
        "It was never given cloudKitContainerOptions, or it is another store than the mirrored one",
      ],
      advice: "Look whether it is the right file; an app may keep a local and a mirrored store.",
      resolves: .doesNotApply),
    .term(
      "unknown", synonyms: [],
      """
      The store doesn't say. As a verdict: the tables are too old or too damaged to tell what waits; as a \
      layout: no known system makes such tables; behind a number in brackets: no known system writes it.
      """,
      causes: ["A system newer than this program", "A beta of long ago", "Damage"],
      advice:
        "`storescope mirror` lists what is odd; `storescope mirror --table NAME` shows any table as it is.",
      certainty: .inferred, sources: [ExplanationSource.appAuthors]),
  ]

  private static func verdict(
    _ state: String, _ meaning: String, causes: [String] = [], advice: String,
    resolves: Explanation.Resolution
  ) -> Explanation {
    .term(
      state, synonyms: [], meaning, causes: causes, advice: advice, resolves: resolves,
      certainty: .inferred, sources: [ExplanationSource.appAuthors])
  }

  /// Generations of the mirror's tables.
  static let layouts: [Explanation] = [
    .term(
      "V17", synonyms: ["layout V17"],
      """
      The mirror's tables as the 26 systems make them: encoded records, system fields and shares lie in \
      tables of their own.
      """,
      advice: "Nothing: the system that opens the store brings its tables up to date.",
      certainty: .observed, sources: [ExplanationSource.appAuthors]),
    .term(
      "V16", synonyms: ["layout V16"],
      """
      The mirror's tables as iOS 16 to 18 and their sister systems make them: encoded records lie in the \
      rows of the records.
      """,
      advice: "Nothing: the system that opens the store brings its tables up to date.",
      certainty: .observed, sources: [ExplanationSource.appAuthors]),
    .term(
      "layout",
      synonyms: ["table layout", "layouts"] + (4...15).flatMap { ["V\($0)", "layout V\($0)"] },
      """
      The generation of the mirror's tables, told by their columns. V4 to V15 are those of systems before \
      iOS 16; below V8 no flag says what waits, and no event is kept.
      """,
      causes: ["An old layout means that no newer system has opened the store since"],
      advice: "Open a copy of the store with the app on a current system if more must be known.",
      certainty: .inferred, sources: [ExplanationSource.appAuthors]),
  ]
}
