import Base
import Diagnostics
import Evidence
import Forge
import Lens
import Rendering
import StoreModel
import TestSupport
import Testing

@testable import Reports

/// What a report says as data, held against what the forge knows.
struct ReportFactsTests {
  private struct Reported {
    let folder: TemporaryFolder
    let forge: StoreForge
    let truth: MirrorTruth
    let report: Report

    init(limit: Int = 10_000, marks: Marks? = Marks(saltText: "test"), _ make: (String) throws -> MirrorForge)
      throws
    {
      folder = TemporaryFolder("report")
      let mirror = try make(folder.path)
      (forge, truth) = (mirror.forge, mirror.truth)
      try forge.close()
      report = try Self.read(forge.path, limit: limit, marks: marks)
    }

    static func read(_ path: String, limit: Int, marks: Marks?) throws -> Report {
      let open = try OpenStore(at: path)
      let report = try Report.read(
        open, marks: marks, isSalted: true, version: "test", limit: limit, made: CoreDataDate(seconds: 0),
        progress: { _ in })
      try open.bytes().finish()
      return report
    }
  }

  private func check(_ reported: Reported) throws {
    let (report, truth, forge) = (reported.report, reported.truth, reported.forge)
    let rows = Dictionary(report.entities.map { ($0.name, $0.rows) }) { $1 }
    for entity in forge.model.entities {
      #expect(
        rows[entity.name] == forge.truth.objects.keys.count { $0.entity == entity.name }, "\(entity.name)")
    }
    #expect(report.entities.count == forge.model.entities.count)
    #expect(report.graph.nodes.count == forge.model.entities.count)
    #expect(report.verdict.state.rawValue == truth.verdict.rawValue)
    let mirror = try #require(report.mirror)
    #expect(mirror.records == truth.records.count)
    #expect(mirror.counts.values.reduce(0, +) == truth.waiting.count)
    #expect(mirror.events == truth.events.count)
    #expect(mirror.token == truth.token.rawValue && mirror.tokenTransaction == truth.tokenTransaction)
    #expect(mirror.zones.count == truth.zones.count)
    #expect(mirror.states.reduce(0) { $0 + $1.counts.values.reduce(0, +) } == truth.records.count)
    #expect(report.history?.summary.changes == forge.truth.changes.count)
  }

  @Test func theDemosFacts() throws {
    try check(Reported { try DemoStore.mirror(in: $0) })
  }

  @Test(arguments: [3, 8, 27] as [UInt64]) func aRandomLifesFacts(seed: UInt64) throws {
    try check(
      Reported { try RandomMirrorLife.live(seed: seed, steps: 40, layout: .v17, path: $0 + "/Life.store") })
  }

  /// Lists end at the limit; counts don't.
  @Test func theLimitIsOfListsAlone() throws {
    let reported = try Reported(limit: 2) { try DemoStore.mirror(in: $0) }
    try check(reported)
    let mirror = try #require(reported.report.mirror)
    #expect(mirror.pending.count == 2 && mirror.newestEvents.count == 2)
  }

  /// The parts hold marks already, so that no format can let a name out.
  @Test func namesAreMarksInTheParts() throws {
    let marked = try Reported { try DemoStore.mirror(in: $0) }
    let open = try Reported(marks: nil) { try DemoStore.mirror(in: $0) }
    let names = Set(marked.truth.records.map(\.name))
    let shown = (try #require(marked.report.mirror)).pending.compactMap(\.recordName)
    #expect(!shown.isEmpty && names.isDisjoint(with: shown))
    let openNames = (try #require(open.report.mirror)).pending.compactMap(\.recordName)
    #expect(openNames.count == shown.count && openNames.contains { names.contains($0) })
  }

  @Test func aStoreWithoutMirrorHasNoMirrorFacts() throws {
    let folder = TemporaryFolder("report")
    let forge = try StoreForge(path: folder.path("Plain.store"), model: FixtureModels.library)
    try RandomLife.live(forge, saves: 3)
    try forge.close()
    let report = try Reported.read(forge.path, limit: 10, marks: nil)
    #expect(report.mirror == nil && report.verdict.state == .notMirrored)
    #expect(report.history?.summary.changes == forge.truth.changes.count)
  }
}
