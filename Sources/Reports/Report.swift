package import Diagnostics
package import Lens
package import Rendering
package import Values

/// All that a report says of a store. What must not be shown has its marks here already, so that nothing that prints it
/// can let it out.
package struct Report {
  /// What made it, when, and what it shows.
  package struct Origin {
    /// The user's own words, which are shown as they are.
    package var title: String?
    package var version: String
    package var made: CoreDataDate
    package var showsValues: Bool
    /// Whether another run with the same salt makes the same marks.
    package var isSalted: Bool
    /// Whether programs are shown where values aren't.
    package var keepsPrograms: Bool

    /// What the reports of a store and of a fleet have about themselves.
    /// - Parameter contains: what the report shows and what it doesn't, in sentences.
    package static func fields<Whole>(
      _ origin: @escaping @Sendable (Whole) -> Self, contains: @escaping @Sendable (Whole) -> String
    ) -> [Field<Whole>] {
      let own: [Field<Self>] = [
        Field("tool", .words(["storescope"]), "the program") { _ in "storescope" },
        Field("version", "its version") { $0.version },
        Field("title", "the text of --title") { $0.title }, Field("made", "when it was made") { $0.made },
        Field("valuesIncluded", "whether --include-values was given") { $0.showsValues },
      ]
      return Field.list(
        own.of(origin), [Field("contains", "what it shows and what it doesn't, in sentences", contains)])
    }

    package init(
      title: String?, version: String, made: CoreDataDate, showsValues: Bool, isSalted: Bool,
      keepsPrograms: Bool = false
    ) {
      self.title = title
      self.version = version
      self.made = made
      self.showsValues = showsValues
      self.isSalted = isSalted
      self.keepsPrograms = keepsPrograms
    }
  }

  package var origin: Origin
  package var store: StoreFacts
  package var verdict: Verdict
  package var diagnosis: Diagnosis
  package var conclusion: Conclusion
  package var entities: [EntityFacts]
  package var graph: GraphChart
  /// Nil where the store keeps none, or has one that can't be read.
  package var history: HistoryFacts?
  package var historyProblem: String?
  /// Nil where the store isn't mirrored.
  package var mirror: MirrorFacts?
  package var sizes: StoreSize
  /// What the report lacks because the store is damaged, a sentence each.
  package var omissions: [String]

  /// The word of health and the worst news: `Blocked: iCloud storage is full.`
  package var headline: String { "\(conclusion.word): \(conclusion.news)" }

  /// That it isn't complete, and why.
  var incompleteness: String? {
    omissions.isEmpty ? nil : "This report is incomplete. \(omissions.joined(separator: " "))"
  }

  /// What people call it: their own words for it, or its file.
  package var name: String { origin.title ?? store.identity.path }
}

/// What a report contains and what not, in words.
enum ReportNotice {
  /// One sentence.
  static func contains(_ origin: Report.Origin) -> String {
    origin.showsValues
      ? "This report includes values (--include-values): record names, zones, owners, paths and quotes in findings appear as they are in the store."
      : "This report shows names of entities, properties, authors and the model, counts, times and states, but no values. Record names, zones, owners, paths\(origin.keepsPrograms ? "" : ", programs") and identifiers are replaced by placeholders."
  }

  static func details(_ origin: Report.Origin) -> [String] {
    let salt =
      origin.isSalted
      ? "The salt was set with --salt: other reports with the same salt have the same placeholders, and anyone who has it can check guesses."
      : "The salt was random and isn’t kept: no other report has the same placeholders, and nobody can check guesses against them."
    let programs =
      origin.keepsPrograms
      ? "" : "bundle identifiers, names of processes, authors that name a program or a user, "
    let marks =
      "Not included: attribute values, record names, device and user names, zone and owner names (except the framework’s own), container identifiers, \(programs)file names and paths, the store’s identifier, and error texts (only their codes). A placeholder such as record-3f9a2c41d07b stands for the same text wherever it occurs. It is the beginning of a SHA-256 of a salt and the text. \(salt)"
    return [
      "Included: names of entities, properties, relationships and tables, of authors and of the model’s versions as the app’s code has them; primary keys of objects; counts, sizes, times and states; error domains and codes; the doctor’s findings; hashes of the store’s files. Names chosen by the app’s developers may reveal something too: please read the report before you share it."
    ] + (origin.showsValues ? [] : [marks]) + [
      "The HTML page is a single self-contained file. It loads nothing, sends nothing, and works without scripts; a small built-in script sorts and filters tables, shows what marks stand for, and shows local times."
    ]
  }
}
