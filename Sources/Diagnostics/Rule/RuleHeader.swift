import QueryCatalog

/// What is known of a rule without running it: the same for rules in SQL and rules in code. Help, output and the
/// rules' documentation are made from it.
package struct RuleHeader: Sendable, Equatable {
  /// Stable for ever: scripts, baselines and SARIF know it.
  package var id: String
  package var severity: Severity
  /// A few words that name what was observed.
  package var title: String
  /// What one finding is.
  package var looksFor: String
  package var why: String
  package var nextLaunch: String
  package var remedy: String
  package var needs: [Need]
  /// When it speaks although nothing is wrong, and what it leaves out so as not to.
  package var falsePositives: String
  /// How it is known that this matters.
  package var evidence: String
  /// `{count}` is the number of findings, `{one|many}` chooses by it, `{NAME}` is a value of the first finding.
  package var message: String
  package var thresholds: [Threshold]

  package init(
    _ id: String, _ severity: Severity, title: String, looksFor: String, why: String, nextLaunch: String,
    remedy: String, needs: [Need] = [], falsePositives: String, evidence: String, message: String,
    thresholds: [Threshold] = []
  ) {
    self.id = id
    self.severity = severity
    self.title = title
    self.looksFor = looksFor
    self.why = why
    self.nextLaunch = nextLaunch
    self.remedy = remedy
    self.needs = needs
    self.falsePositives = falsePositives
    self.evidence = evidence
    self.message = message
    self.thresholds = thresholds
  }

  /// The header of a rule's file: `Severity`, `Title`, `Shows`, `Why`, `Next launch`, `Remedy`, `Needs` (words with
  /// commas), `False positives`, `Evidence`, `Message`, and `Param NAME: meaning, default NUMBER` for thresholds.
  init(_ query: SavedQuery) {
    func text(_ key: String) -> String { query.header[key] ?? "" }
    self.init(
      query.name, Severity(rawValue: text("Severity")) ?? .info, title: query.title, looksFor: query.shows,
      why: text("Why"), nextLaunch: text("Next launch"), remedy: text("Remedy"),
      needs: text("Needs").split { ", ".contains($0) }.compactMap { Need(word: String($0)) },
      falsePositives: text("False positives"), evidence: text("Evidence"), message: text("Message"),
      thresholds: query.parameters.compactMap { parameter in
        parameter.defaultValue.flatMap(Double.init).map { Threshold(parameter.name, $0, parameter.meaning) }
      })
  }
}
