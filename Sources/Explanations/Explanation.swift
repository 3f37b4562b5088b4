import Values

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
  package var listed = Listed.causes
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
  package enum Concern: Sendable, CaseIterable {
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

/// One factory per kind of entry, so the lists contain only what differs.
extension Explanation {
  /// A code declared in CoreDataErrors.h.
  static func coreData(
    _ code: Int, _ name: String, _ meaning: String, causes: [String], advice: String, resolves: Resolution,
    certainty: Certainty = .documented, sources: [String] = []
  ) -> Explanation {
    error(
      CocoaErrors.domain, code, name, meaning, causes: causes, advice: advice, resolves: resolves,
      certainty: certainty,
      sources: [ExplanationSource.coreData(name.lowercased())] + sources)
  }

  /// A code declared in FoundationErrors.h.
  static func foundation(
    _ code: Int, _ name: String, _ meaning: String, causes: [String], advice: String, resolves: Resolution
  ) -> Explanation {
    error(
      CocoaErrors.domain, code, name, meaning, causes: causes, advice: advice, resolves: resolves,
      certainty: .documented, sources: [ExplanationSource.foundationErrors])
  }

  /// A private code of the mirror, without a public name.
  static func mirroring(
    _ code: Int, _ meaning: String, causes: [String], advice: String, resolves: Resolution,
    concern: Concern? = nil, certainty: Certainty, sources: [String], isNoise: Bool = false
  ) -> Explanation {
    error(
      CocoaErrors.domain, code, unnamed, meaning, causes: causes, advice: advice, resolves: resolves,
      concern: concern, certainty: certainty, sources: sources, isNoise: isNoise)
  }

  /// A code whose meaning isn't known.
  static func unknown(_ code: Int, _ meaning: String) -> Explanation {
    error(
      CocoaErrors.domain, code, unnamed, meaning, causes: ["Not known"],
      advice: "Read the failure reason in the app's log, which the store doesn't keep.",
      resolves: .sometimes("Not known; check whether a later event of the same type succeeded."),
      certainty: .inferred,
      sources: [ExplanationSource.none])
  }

  /// A code declared in CKError.h.
  static func cloudKit(
    _ code: Int, _ name: String, _ meaning: String, causes: [String], advice: String, resolves: Resolution,
    concern: Concern? = nil, certainty: Certainty = .documented, isNoise: Bool = false
  ) -> Explanation {
    error(
      CloudKitErrors.domain, code, name, meaning, causes: causes, advice: advice, resolves: resolves,
      concern: concern, certainty: certainty,
      sources: [
        ExplanationSource.cloudKit("ckerror/code/" + name.lowercased()), ExplanationSource.cloudKitErrors,
      ],
      isNoise: isNoise)
  }

  static func error(
    _ domain: String, _ code: Int, _ name: String, _ meaning: String, causes: [String], advice: String,
    resolves: Resolution, concern: Concern? = nil, certainty: Certainty, sources: [String],
    isNoise: Bool = false
  ) -> Explanation {
    Explanation(
      domain: domain, code: code, name: name, synonyms: [], meaning: meaning,
      causes: causes, advice: advice, resolvesItself: resolves, certainty: certainty, sources: sources,
      isNoise: isNoise, concern: concern)
  }

  static func term(
    _ subject: String, synonyms: [String], _ meaning: String, causes: [String] = [], listed: Listed? = nil,
    advice: String, resolves: Resolution = .doesNotApply, certainty: Certainty, sources: [String]
  ) -> Explanation {
    Explanation(
      domain: nil, code: nil, name: subject, synonyms: synonyms, meaning: meaning,
      causes: causes, listed: listed ?? (resolves == .doesNotApply ? .details : .causes),
      advice: advice, resolvesItself: resolves, certainty: certainty, sources: sources, isNoise: false)
  }
}

/// Where explanations come from: sources that a reader can look up.
package enum ExplanationSource {
  static let none = "no public documentation"
  package static let appAuthors = "reports of app authors"
  static let cloudKitErrors = "CKError.h (CloudKit)"
  static let manual = "storescope's manual page"
  static let foundationErrors = "FoundationErrors.h (Foundation)"

  static let tn3162 = technote("tn3162-understanding-cloudkit-throttles")
  static let tn3163 = technote("tn3163-understanding-the-synchronization-of-nspersistentcloudkitcontainer")
  static let tn3164 = technote("tn3164-debugging-the-synchronization-of-nspersistentcloudkitcontainer")
  static let persistentHistory = coreData("persistent-history")
  static let queryGenerations = coreData("accessing-data-when-the-store-changes")
  static let cloudKitModel = coreData("creating-a-core-data-model-for-cloudkit")
  static let cloudKitSetup = coreData("setting-up-core-data-with-cloudkit")
  static let readingRecords = coreData("reading-cloudkit-records-for-core-data")
  static let deployingSchema = cloudKit("deploying-an-icloud-container-s-schema")
  static let writeAheadLog = "https://www.sqlite.org/wal.html"
  static let sqliteResultCodes = "https://www.sqlite.org/rescode.html"
  static let historyPurgeReport = "https://github.com/fatbobman/PersistentHistoryTrackingKit/issues/7"

  static func coreData(_ page: String) -> String { documentation + "coredata/" + page }
  static func cloudKit(_ page: String) -> String { documentation + "cloudkit/" + page }

  private static let documentation = "https://developer.apple.com/documentation/"
  private static func technote(_ page: String) -> String { documentation + "technotes/" + page }
}
