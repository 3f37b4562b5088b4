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
  /// What tells the findings apart, run after run and copy after copy of the store; see `Mark`.
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
