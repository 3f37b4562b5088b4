/// One maker for each kind of entry, so that the lists say only what differs.
extension Explanation {
  /// A code that CoreDataErrors.h names.
  static func coreData(
    _ code: Int, _ name: String, _ meaning: String, causes: [String], advice: String, heals: Healing,
    certainty: Certainty = .documented, sources: [String] = []
  ) -> Explanation {
    error(
      CocoaErrors.domain, code, name, meaning, causes: causes, advice: advice, heals: heals,
      certainty: certainty,
      sources: [ExplanationSource.coreData(name.lowercased())] + sources)
  }

  /// A code that FoundationErrors.h names.
  static func foundation(
    _ code: Int, _ name: String, _ meaning: String, causes: [String], advice: String, heals: Healing
  ) -> Explanation {
    error(
      CocoaErrors.domain, code, name, meaning, causes: causes, advice: advice, heals: heals,
      certainty: .documented, sources: [ExplanationSource.foundationErrors])
  }

  /// A code of the mirror's own, without a public name.
  static func mirroring(
    _ code: Int, _ meaning: String, causes: [String], advice: String, heals: Healing, certainty: Certainty,
    sources: [String], isNoise: Bool = false
  ) -> Explanation {
    error(
      CocoaErrors.domain, code, unnamed, meaning, causes: causes, advice: advice, heals: heals,
      certainty: certainty, sources: sources, isNoise: isNoise)
  }

  /// A code of which nothing is known.
  static func unknown(_ code: Int, _ meaning: String) -> Explanation {
    error(
      CocoaErrors.domain, code, unnamed, meaning, causes: ["Not known"],
      advice: "Read the failure reason in the app's log, which the store doesn't keep.",
      heals: .sometimes("Not known; look whether a later event of the same type succeeded."),
      certainty: .inferred,
      sources: [ExplanationSource.none])
  }

  /// A code that CKError.h names.
  static func cloudKit(
    _ code: Int, _ name: String, _ meaning: String, causes: [String], advice: String, heals: Healing,
    certainty: Certainty = .documented, isNoise: Bool = false
  ) -> Explanation {
    error(
      CloudKitErrors.domain, code, name, meaning, causes: causes, advice: advice, heals: heals,
      certainty: certainty,
      sources: [
        ExplanationSource.cloudKit("ckerror/code/" + name.lowercased()), ExplanationSource.cloudKitErrors,
      ],
      isNoise: isNoise)
  }

  static func error(
    _ domain: String, _ code: Int, _ name: String, _ meaning: String, causes: [String], advice: String,
    heals: Healing, certainty: Certainty, sources: [String], isNoise: Bool = false
  ) -> Explanation {
    Explanation(
      subject: "\(domain) \(code)", domain: domain, code: code, name: name, synonyms: [], meaning: meaning,
      causes: causes, advice: advice, healsItself: heals, certainty: certainty, sources: sources,
      isNoise: isNoise)
  }

  static func term(
    _ subject: String, synonyms: [String], _ meaning: String, causes: [String] = [], advice: String,
    heals: Healing = .doesNotApply, certainty: Certainty, sources: [String]
  ) -> Explanation {
    Explanation(
      subject: subject, domain: nil, code: nil, name: subject, synonyms: synonyms, meaning: meaning,
      causes: causes,
      advice: advice, healsItself: heals, certainty: certainty, sources: sources, isNoise: false)
  }
}
