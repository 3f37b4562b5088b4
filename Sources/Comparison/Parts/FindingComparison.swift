package import Diagnostics
import Lens

/// What the doctor finds in one of two stores only.
package struct FindingComparison: Sendable {
  /// True where single findings are distinguished; else only their numbers, as an object's key is another in each store.
  package var isByFinding: Bool
  /// Counts, objects and evidence are those of what is new; without `isByFinding` they are of all that is there now.
  package var new: [Finding] = []
  package var gone: [Finding] = []
  /// Findings in each store.
  package var counts = (store: 0, other: 0)

  /// - Parameter limit: objects and evidence of each finding.
  package init(
    _ store: ComparedStore, _ other: ComparedStore, matching: Matching, limit: Int,
    progress: @escaping (String) -> Void
  ) throws {
    isByFinding = matching == .key
    func examine(_ one: ComparedStore, _ rules: [Rule], _ baseline: Baseline) throws -> Diagnosis {
      let doctor = Doctor(rules: rules, limit: limit, baseline: baseline, progress: progress)
      return try one.naming {
        try doctor.examine(Examination(one.open))
      }
    }
    let all = RuleRegistry.all
    let before = try examine(store, all, Baseline())
    let known = isByFinding ? Baseline(before) : Baseline()
    let after = try examine(other, all, known)
    counts = (Self.total(before), Self.total(after))
    let later = Baseline(after)
    let checked = Set(after.checked)
    guard isByFinding else {
      let earlier = Baseline(before)
      new = after.findings.filter { $0.count > earlier[$0.rule.id].count }
      gone = before.findings.filter { checked.contains($0.rule.id) && $0.count > later[$0.rule.id].count }
      return
    }
    new = after.findings
    // Rules with findings that the other store hasn't got; only these are asked again.
    let lost = Set(
      before.findings.filter { finding in
        let now = later[finding.rule.id]
        return checked.contains(finding.rule.id)
          && (finding.count > now.count || finding.marks.contains { !now.marks.contains($0) })
      }.map(\.rule.id))
    if !lost.isEmpty { gone = try examine(store, all.filter { lost.contains($0.id) }, later).findings }
  }

  /// Whether both have the same findings.
  package var isEmpty: Bool { new.isEmpty && gone.isEmpty }

  private static func total(_ diagnosis: Diagnosis) -> Int {
    (diagnosis.findings + diagnosis.accepted).map { $0.count + $0.known }.reduce(0, +)
  }
}
