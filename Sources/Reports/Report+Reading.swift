import Diagnostics
package import Lens
import Rendering
import StoreModel
package import SystemCalls
package import Values

extension Report {
  /// Reads everything that a report says, part by part.
  /// - Parameters:
  ///   - marks: nil if values are shown.
  ///   - limit: rows of each list at most. Counts and pictures are of all there is.
  ///   - progress: called again and again with what is being done.
  package static func read(
    _ open: OpenStore, marks: Marks?, isSalted: Bool, version: String, limit: Int, made: CoreDataDate,
    progress: @escaping (String) -> Void
  ) throws -> Report {
    let store = open.store
    let mirror = try open.mirror()
    let names = try mirror?.zones.flatMap { [$0.name, $0.owner].compactMap(\.self) } ?? []
    let privacy = ReportPrivacy(
      marks, path: store.path, names: names, entities: store.knownEntityNames)
    let facts = try mirror.map { try MirrorFacts($0, privacy, limit: limit, progress: progress) }
    let verdict = try verdict(mirror, facts, privacy)
    var doctor = Doctor(limit: min(limit, mostEvidence))
    doctor.progress = progress
    let diagnosis = try doctor.examine(Examination(open))
    let entities = try EntityFacts.read(store, progress: progress)
    return Report(
      origin: Origin(
        version: version, made: made, showsValues: privacy.showsValues, isSalted: isSalted),
      store: try StoreFacts(open, privacy), verdict: verdict,
      diagnosis: FindingFacts(diagnosis, privacy), entities: entities,
      graph: EntityGraph.make(store, entities),
      history: try HistoryFacts(store, privacy, progress: progress), mirror: facts,
      sizes: try StoreSize(open) { progress("measuring \($0)") })
  }

  /// Objects and pieces of evidence a finding: enough to see what it is about.
  private static let mostEvidence = 20

  private static func verdict(_ mirror: Mirror?, _ facts: MirrorFacts?, _ privacy: ReportPrivacy) throws
    -> Verdict
  {
    var verdict =
      if let mirror, let problem = facts?.uncounted {
        try VerdictReader.verdict(mirror, uncounted: problem)
      } else {
        try VerdictReader.verdict(mirror, counts: facts?.counts ?? [:])
      }
    verdict.because = verdict.because.map(privacy.sentence)
    verdict.noise = verdict.noise.map(privacy.sentence)
    return verdict
  }
}
