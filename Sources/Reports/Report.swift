package import Base
package import Diagnostics
package import Lens
package import Rendering
import StoreModel

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

extension Report {
  /// Reads everything that a report says, part by part.
  /// - Parameters:
  ///   - marks: nil if values are shown.
  ///   - title: the user's own words for it.
  ///   - keepsPrograms: shows names of programs, and authors that have one.
  ///   - limit: rows of each list at most. Counts and pictures are of all there is.
  ///   - progress: called again and again with what is being done.
  package static func read(
    _ open: OpenStore, marks: Marks?, title: String? = nil, isSalted: Bool, keepsPrograms: Bool = false,
    version: String, limit: Int, made: CoreDataDate, progress: @escaping (String) -> Void
  ) throws -> Report {
    let store = open.store
    // Before anything else, as the doctor alone does it: once SQLite has met a damaged page, it makes no views.
    let examination = try Examination(open)
    let mirror = examination.mirror
    // Their names get marks wherever they stand; what lists the zones reports the damage.
    var nameless = PartReader(ReportPrivacy(marks, of: store, zones: [], sharedNames: nil))
    let zones = try nameless.read("Zones") { try mirror?.zones ?? [] } ?? []
    func privacy(_ shared: SharedNames?) -> ReportPrivacy {
      ReportPrivacy(
        marks, of: store, zones: zones, sharedNames: shared, keepsPrograms: keepsPrograms)
    }
    // If the authors aren't known, none is shown.
    var parts = PartReader(privacy(nil))
    let shared = marks == nil ? nil : try parts.read("Names of authors") { try SharedNames(store) }
    let privacy = privacy(shared)
    let facts = try mirror.map { try MirrorFacts($0, privacy, limit: limit, progress: progress) }
    let summary = try mirror.flatMap { mirror in
      try parts.read("Some of the mirror's tables") {
        try MirrorSummary(mirror, counts: facts?.counted, problem: facts?.uncounted).masked(privacy)
      }
    }
    let unknown = Verdict(.unknown, because: parts.problems)
    let verdict = try mirror == nil ? VerdictReader.verdict(nil, counts: [:]) : summary?.verdict ?? unknown
    var doctor = Doctor(limit: min(limit, mostEvidence))
    doctor.progress = progress
    let diagnosis = try doctor.examine(examination).masked(privacy)
    let entities = try EntityFacts.read(store, &parts, progress: progress)
    var ofHistory = PartReader(privacy)
    let history = try ofHistory.read("History") { try HistoryFacts(store, privacy, progress: progress) }
    return Report(
      origin: Origin(
        title: title, version: version, made: made, showsValues: privacy.showsValues,
        isSalted: isSalted, keepsPrograms: keepsPrograms),
      store: try StoreFacts(open, privacy), verdict: verdict, diagnosis: diagnosis,
      conclusion: Conclusion(
        diagnosis, summary, problem: mirror == nil || summary != nil ? nil : verdict.because.first,
        isWhole: true),
      entities: entities, graph: EntityGraph.make(store, entities),
      history: history.flatMap(\.self), historyProblem: ofHistory.problems.first, mirror: facts,
      sizes: try StoreSize(open) { progress("measuring \($0)") },
      omissions: parts.problems + ofHistory.problems + (facts?.unread ?? []))
  }

  /// Objects and pieces of evidence per finding: enough to see what it is about.
  private static let mostEvidence = 20
}
