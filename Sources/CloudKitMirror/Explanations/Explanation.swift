/// What an error code, or a term of Core Data's CloudKit mirroring, means to a developer who meets it.
package struct Explanation: Sendable, Equatable {
  /// `NSCocoaErrorDomain 134419`, or the term itself.
  package var subject: String
  /// Of an error: its domain and code.
  package var domain: String?
  package var code: Int?
  /// The constant's public name, a term's subject again, or "(private)" where no name is public.
  package var name: String
  /// Other words under which `ExplanationCatalog` finds it.
  package var synonyms: [String]
  /// One or two sentences.
  package var meaning: String
  /// Most likely first. Terms may have none.
  package var causes: [String]
  /// What to do.
  package var advice: String
  package var healsItself: Healing
  package var certainty: Certainty
  /// Public pages and headers, or a word where nothing is public.
  package var sources: [String]
  /// Whether lists of errors may fold it away: harmless as long as later events succeed.
  package var isNoise: Bool

  /// Whether the problem goes away without anyone doing anything.
  package enum Healing: Sendable, Equatable {
    case yes(String)
    case sometimes(String)
    case no(String)
    /// A term that isn't a problem.
    case doesNotApply

    /// How, or why not.
    package var words: String? {
      switch self {
      case .yes(let words), .sometimes(let words), .no(let words): words
      case .doesNotApply: nil
      }
    }
  }

  /// What the meaning rests on; where it has several parts, the weakest of them.
  package enum Certainty: String, Sendable {
    /// Apple, or SQLite, says so in public.
    case documented
    /// App authors report it.
    case observed
    /// Concluded from how stores and apps behave; plausible, not confirmed.
    case inferred
  }

  package static let unnamed = "(private)"
}
