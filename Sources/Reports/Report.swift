import CloudKitMirror
package import Diagnostics
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
  /// Nil where SQLite can't tell.
  package var sizes: SizeFacts?

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
      case .idle: "Nothing waits to be sent"
      case .waiting: "Changes wait to be sent"
      case .blocked: "Sync is blocked"
      case .neverSetUp: "Mirroring was never set up"
      case .notMirrored: "The store is not mirrored to CloudKit"
      case .unknown: "Whether sync works can’t be told"
      }
    guard let worst = diagnosis.findings.first else { return "\(state), and the doctor found nothing wrong." }
    let kind =
      switch worst.severity {
      case .error: "an error"
      case .warning: "a warning"
      case .info: "a note"
      }
    let count = diagnosis.findings.count
    let which = count == 1 ? "the only finding is" : "the worst of \(count) findings is"
    return "\(state); \(which) \(kind): \(Self.inSentence(worst.title))."
  }
}
