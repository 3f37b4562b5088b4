package import Values

/// What one rule found.
package struct Finding: Sendable, Equatable {
  package var rule: RuleHeader
  package var message: String
  package var count: Int
  /// Findings that the baseline knew, and which aren't in `count`.
  package var known: Int
  /// URIs, each once, as many as were asked for.
  package var objects: [String]
  /// What was seen, as many as were asked for.
  package var evidence: [DataValue]
  /// What distinguishes the findings, run after run and copy after copy of the store; see `Mark`.
  package var marks: [String]

  package var value: DataValue {
    [
      "rule": .text(rule.id), "severity": .text(rule.severity.rawValue), "title": .text(rule.title),
      "message": .text(message), "count": .count(count), "known": .count(known), "why": .text(rule.why),
      "nextLaunch": .text(rule.nextLaunch),
      "objects": .array(objects.map(DataValue.text)), "evidence": .array(evidence),
      "remedy": .text(rule.remedy),
    ]
  }
}

/// All that an examination came to.
package struct Diagnosis: Sendable {
  package struct Skipped: Sendable, Equatable {
    package var rule: String
    package var because: String

    package init(rule: String, because: String) {
      self.rule = rule
      self.because = because
    }
  }

  /// The worst first, then in the order of the rules.
  package var findings: [Finding] = []
  /// What the baseline knew as a whole.
  package var accepted: [Finding] = []
  package var checked: [String] = []
  /// Rules that weren't checked, or not on all there is; the latter are in `checked` too.
  package var skipped: [Skipped] = []

  package func worst() -> Severity? { findings.map(\.rule.severity).max() }

  package func count(_ severity: Severity) -> Int { findings.count { $0.rule.severity == severity } }
}
