package import Diagnostics
package import Lens
package import Rendering
package import Values

/// All that a report says of a store. What must not be shown has its marks here already, so that nothing that prints it
/// can let it out.
package struct Report {
  /// What made it, when, and what it shows.
  package struct Origin {
    package var version: String
    package var made: CoreDataDate
    package var showsValues: Bool
    /// Whether another run with the same salt makes the same marks.
    package var isSalted: Bool
  }

  package var origin: Origin
  package var store: StoreFacts
  package var verdict: Verdict
  package var diagnosis: FindingFacts
  package var entities: [EntityFacts]
  package var graph: GraphChart
  /// Nil where the store keeps none.
  package var history: HistoryFacts?
  /// Nil where the store isn't mirrored.
  package var mirror: MirrorFacts?
  /// Nil if SQLite can't measure it.
  package var sizes: StoreSize

  /// A title within a sentence. `CloudKit` and `WAL` stay as they are.
  private static func inSentence(_ title: String) -> String {
    let word = title.prefix { $0 != " " }
    let isName = word.dropFirst().contains { $0.isUppercase }
    return isName ? title : title.prefix(1).lowercased() + title.dropFirst()
  }

  /// The verdict and the worst that was found, in one sentence.
  package var headline: String {
    let state =
      switch verdict.state {
      case .idle: "Nothing is pending"
      case .waiting: "Changes are pending"
      case .blocked: "Sync is blocked"
      case .neverSetUp: "Mirroring was never set up"
      case .notMirrored: "The store is not mirrored to CloudKit"
      case .unknown: "Sync state unknown"
      }
    guard let worst = diagnosis.findings.first else { return "\(state), and no problems were found." }
    let kind =
      switch worst.severity {
      case .error: "an error"
      case .warning: "a warning"
      case .info: "a note"
      }
    let count = diagnosis.findings.count
    let which = count == 1 ? "the only finding is" : "the worst of \(Sentence.count(count, "finding")) is"
    return "\(state); \(which) \(kind): \(Self.inSentence(worst.title))."
  }
}

/// What a report contains and what not, in words.
enum ReportNotice {
  /// One sentence.
  static func contains(_ origin: Report.Origin) -> String {
    origin.showsValues
      ? "This report includes values (--include-values): record names, zones, owners, paths and quotes in findings appear as they are in the store."
      : "This report shows names of entities, properties, rules and authors, counts, times and states, but no values. Record names, zones, owners, paths, bundles and identifiers are replaced by placeholders, UUIDs in sentences by other UUIDs."
  }

  static func details(_ origin: Report.Origin) -> [String] {
    let salt =
      origin.isSalted
      ? "The salt was set with --salt: other reports with the same salt have the same placeholders, and anyone who has it can check guesses."
      : "The salt was random and isn’t kept: no other report has the same placeholders, and nobody can check guesses against them."
    let marks =
      origin.showsValues
      ? []
      : [
        "A placeholder such as record-3f9a2c41d07b stands for the same text wherever it occurs. It is the beginning of a SHA-256 of a salt and the text. \(salt)",
        "Not included: attribute values, record names, device and user names, zone and owner names (except the framework’s own), container and bundle identifiers, file names and paths, the store’s identifier, and error texts (only their codes).",
      ]
    return [
      "Included: names of entities, properties, relationships and tables, of authors and processes as the app’s code has them; primary keys of objects; counts, sizes, times and states; error domains and codes; the doctor’s findings; hashes of the store’s files."
    ] + marks + [
      "Names chosen by the app’s developers may reveal something too. Please read the page before you share it.",
      "The page is a single self-contained file. It loads nothing, sends nothing, and works without scripts; a small built-in script sorts and filters tables.",
    ]
  }
}
