import Diagnostics
import Evidence
import Lens
import StoreModel
import Values

/// What `pending` and the doctor say of a store, in short: for comparing before and after.
struct StoreReading {
  let counts: [PendingItem.Kind: Int]
  let verdict: Verdict
  /// Findings by rule.
  let findings: [(rule: String, count: Int)]

  init(_ store: CoreDataStore, opened: OpenedStore?, progress: Progress) throws {
    try Lens.install(in: store)
    let mirror = try Mirror(store)
    if let mirror { try MirrorViews(mirror).install() }
    counts = try mirror.map { try PendingReader($0, tracesCauses: false).counts } ?? [:]
    verdict = try VerdictReader.verdict(mirror, counts: counts)
    var doctor = Doctor(limit: 0)
    doctor.progress = { text in progress.step(text) }
    let diagnosis = try doctor.examine(Examination(store, opened: opened, mirror: mirror))
    findings = diagnosis.findings.map { ($0.rule.id, $0.count) }
  }

  static func of(path: String, modelPath: String?, progress: Progress) throws -> StoreReading {
    try SecondLook.read({ Session(path: path, modelPath: modelPath, goesOn: { !Interruption.isRequested }) })
    {
      session in
      let reading = try StoreReading(session.store(), opened: session.opened(), progress: progress)
      try session.finish()
      return reading
    }
  }

  var value: DataValue {
    [
      "verdict": verdict.value, "counts": counts.value,
      "findings": .array(findings.map { ["rule": .text($0.rule), "count": .count($0.count)] }),
    ]
  }
}
