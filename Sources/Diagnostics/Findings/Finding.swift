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
    /// It could not be read, while a store that is whole has it: no reason to call the store healthy.
    package var hasFailed: Bool

    package init(rule: String, because: String, hasFailed: Bool = false) {
      self.rule = rule
      self.because = because
      self.hasFailed = hasFailed
    }
  }

  /// The worst first, then in the order of the rules.
  package var findings: [Finding] = []
  /// What the baseline knew as a whole.
  package var accepted: [Finding] = []
  package var checked: [String] = []
  /// Rules that weren't checked, or not on all there is; the latter are in `checked` too.
  package var skipped: [Skipped] = []

  /// What should have been checked and couldn't, in a sentence; nil if there is nothing.
  /// - Parameter problem: why the state of sync isn't known, a sentence.
  package func unchecked(_ problem: String? = nil) -> String? {
    let failed = skipped.filter(\.hasFailed)
    let rules = failed.first.map { ("\(Sentence.count(failed.count, "rule"))", $0.because) }
    guard let problem else { return rules.map { "\($0) couldn't be checked: \($1)" } }
    if let (count, because) = rules, because == problem {
      return "The state of sync and \(count) couldn't be checked: \(problem)"
    }
    return ["The state of sync couldn't be checked: \(problem)", unchecked()].compactMap(\.self).joined(
      separator: " ")
  }

  package func worst() -> Severity? { findings.map(\.rule.severity).max() }

  package func count(_ severity: Severity) -> Int { findings.count { $0.rule.severity == severity } }
}

extension Diagnosis {
  /// Rules that weren't checked, or not on all there is, by why: what many have in common is said once.
  package var skippedByReason: [(because: String, rules: [String])] {
    var order: [String] = []
    var rules: [String: [String]] = [:]
    for skipped in skipped {
      if rules[skipped.because] == nil { order.append(skipped.because) }
      rules[skipped.because, default: []].append(skipped.rule)
    }
    return order.map { ($0, rules[$0] ?? []) }
  }
}
