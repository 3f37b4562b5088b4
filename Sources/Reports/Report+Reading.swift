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
  ///   - title: the user's own words for it.
  ///   - limit: rows of each list at most. Counts and pictures are of all there is.
  ///   - progress: called again and again with what is being done.
  package static func read(
    _ open: OpenStore, marks: Marks?, title: String? = nil, isSalted: Bool, version: String, limit: Int,
    made: CoreDataDate, progress: @escaping (String) -> Void
  ) throws -> Report {
    let store = open.store
    let mirror = try open.mirror()
    let names = try mirror?.zones.flatMap { [$0.name, $0.owner].compactMap(\.self) } ?? []
    let privacy = ReportPrivacy(
      marks, path: store.path, names: names, entities: store.knownEntityNames)
    let facts = try mirror.map { try MirrorFacts($0, privacy, limit: limit, progress: progress) }
    let summary = try mirror.map { mirror in
      var summary = try MirrorSummary(mirror, counts: facts?.counted, problem: facts?.uncounted)
      summary.verdict = summary.verdict.masked(privacy)
      return summary
    }
    let verdict = try summary?.verdict ?? VerdictReader.verdict(nil, counts: [:])
    var doctor = Doctor(limit: min(limit, mostEvidence))
    doctor.progress = progress
    let diagnosis = try doctor.examine(Examination(open)).masked(privacy)
    let entities = try EntityFacts.read(store, progress: progress)
    return Report(
      origin: Origin(
        title: title, version: version, made: made, showsValues: privacy.showsValues, isSalted: isSalted),
      store: try StoreFacts(open, privacy), verdict: verdict, diagnosis: diagnosis,
      conclusion: Conclusion(diagnosis, summary, isWhole: true), entities: entities,
      graph: EntityGraph.make(store, entities),
      history: try HistoryFacts(store, privacy, progress: progress), mirror: facts,
      sizes: try StoreSize(open) { progress("measuring \($0)") })
  }

  /// Objects and pieces of evidence per finding: enough to see what it is about.
  private static let mostEvidence = 20
}
