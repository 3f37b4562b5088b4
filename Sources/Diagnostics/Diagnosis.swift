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
