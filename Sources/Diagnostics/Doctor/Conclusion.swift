import Base
import Evidence
import Lens

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
  package static let outcomes =
    Health.allCases.flatMap { $0 == .healthy ? [$0.counted, noProblemsFound] : [$0.counted] }
    + [nothingNew, "with findings", "without findings"]

  /// Nobody calls a store healthy whose newest commits may be missing, or that is mirrored.
  private static let noProblemsFound = "with no problems found"

  /// A store whose findings a baseline accepts isn't healthy.
  private static let nothingNew = "with nothing new"

  /// One of them.
  package var outcome: String {
    guard isWhole else { return diagnosis.findings.isEmpty ? "without findings" : "with findings" }
    guard health == .healthy else { return health.counted }
    return hasKnown ? Self.nothingNew : isWALMissing || mirror != nil ? Self.noProblemsFound : health.counted
  }

  private var diagnosed: String {
    guard isWhole else {
      if diagnosis.findings.isEmpty, diagnosis.checked.isEmpty, !diagnosis.skipped.isEmpty {
        return "Nothing was checked."
      }
      return diagnosis.findings.isEmpty ? hasKnown ? "Nothing new." : "Nothing found." : worst
    }
    switch health {
    case .atRisk where verdict?.state == .blocked: return "\(damage ?? worst) \(blocked)"
    case .atRisk: return damage ?? worst
    case .blocked: return blocked
    case .needsAttention where diagnosis.worst() == .warning: return "\(health.word): \(worst)"
    case .needsAttention, .healthy: return nothing
    }
  }

  /// Nothing that should have been checked is missing.
  var isChecked: Bool { diagnosis.unchecked(problem) == nil }

  /// What is wrong with the file: whatever else is read from it may be wrong.
  var damage: String? {
    diagnosis.findings.first { $0.rule.weight == .damage }?.message
  }

  /// The message of the first finding, the worst.
  var worst: String { diagnosis.findings.first?.message ?? "" }

  private var blocked: String {
    let first = mirror?.verdict.obstacles.isEmpty == false ? "Blocked: \(blockage)" : "Blocked. \(blockage)"
    return [first, moreErrors].compactMap(\.self).joined(separator: " ")
  }

  /// Errors that a conclusion about sync doesn't mention: `1 more error: keys above the highest assigned key.`
  var moreErrors: String? {
    let errors = diagnosis.findings.filter { $0.rule.severity == .error && $0.rule.weight > .damage }
    let others = errors.dropFirst(errors.first?.rule.weight == .stopsSync ? 1 : 0)
    guard let next = others.first else { return nil }
    let which = others.count > 1 ? ", the first" : ""
    return
      "\(Sentence.count(others.count, "more error"))\(which): \(Sentence.ended(Sentence.continued(next.rule.title)))"
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

  /// Accepted notes don't count: a store with notes is healthy without a baseline, too.
  private var hasKnown: Bool {
    (diagnosis.accepted + diagnosis.findings.filter { $0.known > 0 }).contains { $0.rule.severity > .info }
  }

  /// Without an error or a warning.
  private var nothing: String {
    let found =
      if hasKnown {
        "Nothing new."
      } else if health == .healthy, isWALMissing {
        noProblems
      } else {
        "\(word)."
      }
    guard isChecked, let mirror else { return found }
    var state = mirror.verdict.passing.map(\.why).prefix(1)
    switch mirror.verdict.state {
    case .waiting: state.append("\(Sentence.count(mirror.pending ?? 0, "change")) pending.")
    case .neverSetUp:
      let cause = mirror.verdict.obstacles.first.map { ": \($0.cause)" } ?? ""
      let pending = mirror.pending.flatMap {
        $0 > 0 ? ", and \(Sentence.count($0, "change is", "changes are")) pending" : nil
      }
      state.append("Mirroring isn't set up\(cause)\(pending ?? "").")
    case .unknown: state.append("The state of sync is unknown. \(mirror.verdict.because.first ?? "")")
    case .idle: state += mirror.verdict.because.prefix(1)
    case .blocked, .notMirrored: break
    }
    return ([found] + state).joined(separator: " ")
  }

  /// No errors and no warnings.
  var noProblems: String {
    missingWAL.map { "No problems found, but \(Sentence.continued($0))" } ?? "No problems found."
  }

  var missingWAL: String? {
    isWALMissing
      ? "Newer commits may be in a missing -wal file. If one was left behind, \(Sentence.continued(StoreFiles.walAdvice))"
      : nil
  }

  private var isWALMissing: Bool {
    diagnosis.findings.contains { $0.rule.id == Rule.walMissing.id }
  }

  var verdict: Verdict? { mirror?.verdict }
}

extension RuleHeader {
  /// What a conclusion begins with: damage, then what keeps sync from going on, then what became of all objects.
  enum Weight: Int, Comparable {
    case damage, stopsSync, losesObjects, other

    static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
  }

  /// Whether it is about files and pages, and needs no table in view.
  var isOfFiles: Bool {
    [Rule.fileCutOff, .walForeign, .integrityCheckFailed].contains { $0.id == id }
  }

  var weight: Weight {
    let ofTables = [Rule.metadataUnreadable, .countersMissing, .mirrorTablesPartial]
    if isOfFiles || severity == .error && ofTables.contains(where: { $0.id == id }) { return .damage }
    // Runs that fail, and what `VerdictReader` calls an obstacle in the store itself.
    let isObstacle = [Rule.tokenExpired, .tokenForeignStore, .identityHalfRecorded].contains { $0.id == id }
    if severity == .error && (log == .events || isObstacle) { return .stopsSync }
    let losses = [Rule.pastWipe, .massDeleteByApp, .massDeleteImported, .storeRecreated]
    return losses.contains { $0.id == id } ? .losesObjects : .other
  }
}
