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
  ///   - keepsPrograms: shows names of programs, and authors that have one.
  ///   - limit: rows of each list at most. Counts and pictures are of all there is.
  ///   - progress: called again and again with what is being done.
  package static func read(
    _ open: OpenStore, marks: Marks?, title: String? = nil, isSalted: Bool, keepsPrograms: Bool = false,
    version: String, limit: Int, made: CoreDataDate, progress: @escaping (String) -> Void
  ) throws -> Report {
    let store = open.store
    // Before anything else, as the doctor alone does it: once SQLite has met a damaged page, it makes no views.
    let examination = try Examination(open)
    let mirror = examination.mirror
    // Their names get marks wherever they stand; what lists the zones reports the damage.
    var nameless = PartReader(ReportPrivacy(marks, of: store, zones: [], sharedNames: nil))
    let zones = try nameless.read("Zones") { try mirror?.zones ?? [] } ?? []
    func privacy(_ shared: SharedNames?) -> ReportPrivacy {
      ReportPrivacy(
        marks, of: store, zones: zones, sharedNames: shared, keepsPrograms: keepsPrograms)
    }
    // If the authors aren't known, none is shown.
    var parts = PartReader(privacy(nil))
    let shared = marks == nil ? nil : try parts.read("Names of authors") { try SharedNames(store) }
    let privacy = privacy(shared)
    let facts = try mirror.map { try MirrorFacts($0, privacy, limit: limit, progress: progress) }
    let summary = try mirror.flatMap { mirror in
      try parts.read("Some of the mirror's tables") {
        try MirrorSummary(mirror, counts: facts?.counted, problem: facts?.uncounted).masked(privacy)
      }
    }
    let unknown = Verdict(.unknown, because: parts.problems)
    let verdict = try mirror == nil ? VerdictReader.verdict(nil, counts: [:]) : summary?.verdict ?? unknown
    var doctor = Doctor(limit: min(limit, mostEvidence))
    doctor.progress = progress
    let diagnosis = try doctor.examine(examination).masked(privacy)
    let entities = try EntityFacts.read(store, &parts, progress: progress)
    var ofHistory = PartReader(privacy)
    let history = try ofHistory.read("History") { try HistoryFacts(store, privacy, progress: progress) }
    return Report(
      origin: Origin(
        title: title, version: version, made: made, showsValues: privacy.showsValues,
        isSalted: isSalted, keepsPrograms: keepsPrograms),
      store: try StoreFacts(open, privacy), verdict: verdict, diagnosis: diagnosis,
      conclusion: Conclusion(
        diagnosis, summary, problem: mirror == nil || summary != nil ? nil : verdict.because.first,
        isWhole: true),
      entities: entities, graph: EntityGraph.make(store, entities),
      history: history.flatMap(\.self), historyProblem: ofHistory.problems.first, mirror: facts,
      sizes: try StoreSize(open) { progress("measuring \($0)") },
      omissions: parts.problems + ofHistory.problems + (facts?.unread ?? []))
  }

  /// Objects and pieces of evidence per finding: enough to see what it is about.
  private static let mostEvidence = 20
}
