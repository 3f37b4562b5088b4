import Base
import Diagnostics
import Lens

/// What `pending` and the doctor say of a store, in short: for comparing before and after.
struct StoreReading: HasFields {
  let counts: [PendingItem.Kind: Int]
  let verdict: Verdict
  /// Findings by rule.
  let findings: [(rule: String, count: Int)]
  /// Why rules couldn't be checked: of a rehearsal, those about the files.
  let unchecked: [String: String]

  init(_ open: OpenStore, progress: Progress) throws {
    let mirror = try open.mirror()
    counts = try mirror.map { try PendingReader($0, tracesCauses: false).counts } ?? [:]
    verdict = try VerdictReader.verdict(mirror, counts: counts)
    var doctor = Doctor(limit: 0)
    doctor.progress = { text in progress.step(text) }
    let diagnosis = try doctor.examine(Examination(open))
    findings = diagnosis.findings.map { ($0.rule.id, $0.count) }
    unchecked = Dictionary(diagnosis.skipped.map { ($0.rule, $0.because) }) { first, _ in first }
  }

  /// `Blocked: iCloud storage is full; 25 changes pending`
  var sentence: String {
    let state = verdict.word + verdict.rest(namesError: false)
    let pending = Sentence.count(counts.total, "change")
    return [.idle, .notMirrored].contains(verdict.state) ? state : "\(state); \(pending) pending"
  }

  static let fields: [Field<Self>] = [
    Field("verdict", "the state of sync") { $0.verdict },
    Field("counts", [PendingItem.Kind: Int].shape, "pending changes by kind") { $0.counts.value },
    Field("findings", .list(.object(findingFields.keys())), "what the doctor finds") {
      $0.findings.map(findingFields.object)
    },
  ]

  private static let findingFields: [Field<(rule: String, count: Int)>] = [
    Field("rule", "the rule") { $0.rule }, Field("count", "how many times") { $0.count },
  ]

  static let shape = Shape.named("reading", fields.keys())
}
