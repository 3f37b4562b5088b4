import Values

/// A diagnosis in a sentence or two: what matters first.
package struct Conclusion {
  let diagnosis: Diagnosis
  let mirror: MirrorSummary?
  let problem: String?
  private let isWhole: Bool

  /// - Parameters:
  ///   - mirror: nil if the store isn't mirrored, or can't be judged.
  ///   - problem: why it can't be judged, a sentence.
  ///   - isWhole: whether every rule was asked; otherwise nothing can be called healthy.
  package init(_ diagnosis: Diagnosis, _ mirror: MirrorSummary?, problem: String? = nil, isWhole: Bool) {
    self.diagnosis = diagnosis
    self.mirror = mirror
    self.problem = problem
    self.isWhole = isWhole
  }

  /// Damage comes first, and what couldn't be checked last.
  package var text: String {
    [diagnosed, diagnosis.unchecked(problem)].compactMap(\.self).joined(separator: " ")
  }

  /// What stores are counted by, in that order; without every rule asked nobody can call one healthy.
  package static let outcomes = Health.allCases.map(\.counted) + ["with findings", "without findings"]

  /// One of them.
  package var outcome: String {
    isWhole ? health.counted : diagnosis.findings.isEmpty ? "without findings" : "with findings"
  }

  private var diagnosed: String {
    if isWhole, mirror?.verdict.state == .blocked {
      return [damage, blocked].compactMap(\.self).joined(separator: " ")
    }
    switch diagnosis.worst() {
    case .error: return worst
    case .warning: return isWhole && isChecked ? "No errors. \(worst)" : worst
    case .info where !isWhole: return worst
    case .info, nil: return nothing
    }
  }

  /// Nothing that should have been checked is missing.
  var isChecked: Bool { diagnosis.unchecked(problem) == nil }

  /// What SQLite finds wrong with the file: whatever else is read from it may be wrong.
  var damage: String? {
    diagnosis.findings.first { $0.rule.id == Rule.integrityCheckFailed.id }?.message
  }

  /// The message of the first finding, the worst.
  var worst: String { diagnosis.findings.first?.message ?? "" }

  private var blocked: String {
    mirror?.verdict.obstacles.isEmpty == false ? "Blocked: \(blockage)" : "Blocked. \(blockage)"
  }

  /// What blocks, and what is at stake: `iCloud storage is full, and 25 changes exist only on this device.`
  var blockage: String {
    guard let cause = mirror?.verdict.obstacles.first?.cause else {
      return mirror?.verdict.because.first ?? ""
    }
    let pending = mirror?.pending ?? 0
    let rest =
      if pending == 0 {
        "."
      } else if mirror?.repeatsUploads ?? false {
        ", and \(Sentence.count(pending, "change is", "changes are")) pending, some of which may already be on the server."
      } else {
        ", and \(Sentence.count(pending, "change exists", "changes exist")) only on this device."
      }
    return cause + rest
  }

  private var hasKnown: Bool {
    !diagnosis.accepted.isEmpty || diagnosis.findings.contains { $0.known > 0 }
  }

  private var nothing: String {
    let known = hasKnown
    guard isWhole else { return known ? "Nothing new." : "Nothing found." }
    guard isChecked else { return known ? "Nothing new." : "No problems found." }
    guard let mirror else { return known ? "Nothing new." : healthy }
    let state =
      switch mirror.verdict.state {
      case .waiting: " \(Sentence.count(mirror.pending ?? 0, "change")) pending."
      case .neverSetUp: " Mirroring was never set up."
      case .unknown: " The state of sync is unknown. \(mirror.verdict.because.first ?? "")"
      case .idle, .blocked, .notMirrored: ""
      }
    return (known ? "Nothing new." : mirror.verdict.state == .unknown ? "Nothing found." : healthy) + state
  }

  private var healthy: String {
    diagnosis.findings.contains { $0.rule.id == Rule.walMissing.id }
      ? "Healthy as far as it can be seen: newer commits may be in a -wal file that isn't here." : "Healthy."
  }
}
