import Base

/// What an error code, or a term of Core Data's CloudKit mirroring, means to a developer who comes across it.
package struct Explanation: Sendable, Equatable {
  /// `NSCocoaErrorDomain 134419`, or the term itself.
  package var subject: String {
    guard let domain, let code else { return name }
    return "\(domain) \(code)"
  }
  /// Of an error: its domain and code.
  package var domain: String?
  package var code: Int?
  /// The constant's public name, a term's subject again, or "(private)" if there is no public name.
  package var name: String
  /// Other words under which `ExplanationCatalog` finds it.
  package var synonyms: [String]
  /// One or two sentences.
  package var meaning: String
  /// Most likely first. Terms may have none, or a list of something else: see `listed`.
  package var causes: [String]
  /// What `causes` lists.
  package var listed: Listed
  /// How to fix it.
  package var advice: String
  package var resolvesItself: Resolution
  package var certainty: Certainty
  /// Public pages and headers, or a few words if nothing is public.
  package var sources: [String]
  /// Whether lists of errors may hide it: harmless as long as later events succeed.
  package var isNoise: Bool
  /// What the error is about, if its code alone shows that.
  package var concern: Concern?
  /// What has happened, a clause, if the mirror answers the error by deleting objects.
  package var wipe: String?

  /// One list is of one kind of thing.
  package enum Listed: String, Sendable {
    case causes = "Likely causes (most likely first)"
    case states = "States"
    case details = "Details"
  }

  /// Whether the problem goes away without anyone doing anything.
  package enum Resolution: Sendable, Equatable {
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

  /// The basis of the meaning; if it has several parts, the weakest of them.
  package enum Certainty: String, FieldWord, Sendable {
    /// Documented by Apple or SQLite.
    case documented
    /// Reported by app authors.
    case observed
    /// Inferred from how stores and apps behave; plausible, but not confirmed.
    case inferred
  }

  /// What an error is about, for those who treat errors by what they have in common. Codes of CKErrorDomain are Apple's
  /// (https://developer.apple.com/documentation/cloudkit/ckerror/code), those of NSCocoaErrorDomain app authors report.
  package enum Concern: String, Sendable, CaseIterable {
    /// Nobody is signed in, the account isn't ready, or it is a different account than before.
    case account
    /// There is an account, but its administrator doesn't allow CloudKit.
    case restriction
    /// The keys for the account's encrypted data are missing.
    case encryptionKeys
    /// The server asks the app to wait.
    case throttling
    /// The server asks the app to wait before using one zone.
    case busyZone
    /// Storage is full.
    case quota
    /// The zone isn't there, or the user deleted it.
    case zone
    /// Another container already syncs the store.
    case secondInstance
    /// Some items failed; the code doesn't show why.
    case partialFailure
  }

  package static let unnamed = "(private)"
}

/// Explanations are written as `KeyedLines` in `Texts`: `Term`, or `Code` with the constant's name; `Also` (synonyms with
/// commas); `Meaning`; a line `Cause`, `State` or `Detail` for each that is listed; `Advice`; `Passes`, `May pass` or `Stays`
/// for whether it resolves itself; `Concern`, `Wipe` and `Noise` of errors; and `Basis`, which is the certainty and the sources, with
/// commas. Pages of Apple's documentation are without their beginning. Codes that differ in their meaning at most stand in
/// one paragraph, each with its line `Meaning`, or with one for all.
extension Explanation {
  static func terms(_ text: [UInt8]) -> [Explanation] {
    KeyedLines.all(in: text).map { Explanation($0, name: $0["Term"] ?? "") }
  }

  /// - Parameter declaration: where the constant of that name is declared: the basis, if there is no other.
  static func errors(of domain: String, _ text: [UInt8], declaration: (String) -> [String]) -> [Explanation] {
    KeyedLines.all(in: text).flatMap { lines in
      let meanings = lines.all("Meaning")
      return lines.all("Code").enumerated().map { index, code in
        let words = code.split(separator: " ").map(String.init)
        let name = words.count > 1 ? words[1] : unnamed
        var error = Explanation(lines, name: name)
        (error.domain, error.code) = (domain, words.first.flatMap { Int($0) })
        if meanings.indices.contains(index) { error.meaning = meanings[index] }
        if lines["Basis"] == nil, name != unnamed {
          (error.certainty, error.sources) = (.documented, declaration(name))
        }
        return error
      }
    }
  }

  private init(_ lines: KeyedLines, name: String) {
    self.name = name
    synonyms = lines.list("Also")
    meaning = lines["Meaning"] ?? ""
    let lists: [(Listed, [String])] = [
      (.causes, lines.all("Cause")), (.states, lines.all("State")), (.details, lines.all("Detail")),
    ]
    (listed, causes) = lists.first { !$0.1.isEmpty } ?? (.causes, [])
    advice = lines["Advice"] ?? ""
    resolvesItself =
      lines["Passes"].map(Resolution.yes) ?? lines["May pass"].map(Resolution.sometimes)
      ?? lines["Stays"].map(Resolution.no) ?? .doesNotApply
    let basis = lines.list("Basis")
    certainty = basis.first.flatMap(Certainty.init) ?? .inferred
    sources = basis.isEmpty ? [ExplanationSource.none] : basis.dropFirst().map(ExplanationSource.page)
    isNoise = lines["Noise"] != nil
    concern = lines["Concern"].flatMap(Concern.init)
    wipe = lines["Wipe"]
  }
}

/// Where explanations come from: sources that a reader can look up.
package enum ExplanationSource {
  static let none = "no public documentation"
  package static let appAuthors = "reports of app authors"

  /// The address of one of Apple's pages (`coredata/persistent-history`); anything else as it is.
  static func page(_ source: String) -> String {
    !source.contains("/") || source.hasPrefix("https:")
      ? source : "https://developer.apple.com/documentation/" + source
  }
}

/// What helps when storage is full, wherever that is said.
package enum StorageAdvice {
  /// In the user's own database.
  package static let free = "Free iCloud storage on this account; uploads then resume on their own."
}
