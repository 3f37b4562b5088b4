extension Terms {
  /// How a mirror stands as a whole.
  static let verdicts: [Explanation] = [
    verdict(
      .idle, "Nothing waits to be sent to the server.",
      advice: "Nothing. If another device lacks something, look at its imports instead.",
      heals: .doesNotApply),
    verdict(
      .waiting, "Something waits to be sent, and nothing is known to stand in its way but time.",
      causes: ["A normal state for seconds to minutes after a save", "The system defers exports"],
      advice: "`storescope pending` says since when; relaunching the app again and again doesn't help.",
      heals: .yes("The next successful export sends it.")),
    verdict(
      .blocked, "What waits is not sent until something else happens, which the verdict's reasons name.",
      causes: [
        "Setup or exports end with the same error again and again", "The account changed or is full",
        "The history token can't be used",
      ],
      advice:
        "Treat the first of the reasons in `storescope pending`, with `storescope explain` on its code.",
      heals: .sometimes("It depends on the reason.")),
    verdict(
      .neverSetUp,
      "The store has the mirror's tables, and its setup has never succeeded: nothing was ever sent.",
      causes: ["No iCloud account", "A wrong container or entitlement", "A model that CloudKit can't take"],
      advice: "`storescope events` shows the error of the first setup.",
      heals: .sometimes("Setup is tried again at each launch.")),
    verdict(
      .notMirrored,
      "The store has none of the mirror's tables: NSPersistentCloudKitContainer never loaded it.",
      causes: [
        "A plain container loads it",
        "It was never given cloudKitContainerOptions, or it is another store than the mirrored one",
      ],
      advice: "Look whether it is the right file; an app may keep a local and a mirrored store.",
      heals: .doesNotApply),
    .term(
      Verdict.State.unknown.rawValue, synonyms: [],
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
    _ state: Verdict.State, _ meaning: String, causes: [String] = [], advice: String,
    heals: Explanation.Healing
  ) -> Explanation {
    .term(
      state.rawValue, synonyms: [], meaning, causes: causes, advice: advice, heals: heals,
      certainty: .inferred, sources: [ExplanationSource.appAuthors])
  }

  /// Generations of the mirror's tables.
  static let layouts: [Explanation] = [
    .term(
      MirrorLayout.v17.name, synonyms: ["layout V17"],
      """
      The mirror's tables as the 26 systems make them: encoded records, system fields and shares lie in \
      tables of their own.
      """,
      advice: "Nothing: the system that opens the store brings its tables up to date.",
      certainty: .observed, sources: [ExplanationSource.appAuthors]),
    .term(
      MirrorLayout.v16.name, synonyms: ["layout V16"],
      """
      The mirror's tables as iOS 16 to 18 and their sister systems make them: encoded records lie in the \
      rows of the records.
      """,
      advice: "Nothing: the system that opens the store brings its tables up to date.",
      certainty: .observed, sources: [ExplanationSource.appAuthors]),
    .term(
      "layout",
      synonyms: ["table layout", "layouts"]
        + MirrorLayout.allCases.filter { $0 < .v16 }.flatMap { [$0.name, "layout \($0.name)"] },
      """
      The generation of the mirror's tables, told by their columns. V4 to V15 are those of systems before \
      iOS 16; below V8 no flag says what waits, and no event is kept.
      """,
      causes: ["An old layout means that no newer system has opened the store since"],
      advice: "Open a copy of the store with the app on a current system if more must be known.",
      certainty: .inferred, sources: [ExplanationSource.appAuthors]),
  ]
}
