import Archives
import Base
import Evidence
import Forge
import Lens
import Rendering
import StoreModel
import TestSupport
import Testing

@testable import Diagnostics
@testable import Reports

/// What a page shows of a store, by its structure.
struct ReportPageTests {
  private let folder = TemporaryFolder("report")

  private static func report(_ path: String, title: String? = nil) throws -> Report {
    let open = try OpenStore(at: path)
    let report = try Report.read(
      open, marks: Marks(saltText: "test"), title: title, isSalted: true, version: "test", limit: 200,
      made: CoreDataDate(seconds: 0), progress: { _ in })
    try open.bytes().finish()
    return report
  }

  private static func elements(_ element: XMLElement) -> [XMLElement] {
    [element] + element.children.flatMap(elements)
  }

  private static func elements(of report: Report) throws -> [XMLElement] {
    elements(try XMLReader.read(Renderer.bytes(of: report.document(), as: .html)))
  }

  private static func markdown(of report: Report) throws -> String {
    String(decoding: try Renderer.bytes(of: report.document(), as: .markdown), as: UTF8.self)
  }

  /// All text in it, as far as it has elements.
  private static func words(_ element: XMLElement) -> String {
    element.text + element.children.map(words).joined()
  }

  /// The first number in a text.
  private static func number(_ text: String) -> Int {
    Int(text.drop { !$0.isNumber }.prefix { $0.isNumber || $0 == "," }.filter { $0 != "," }) ?? 0
  }

  @Test(arguments: [1, 2, 3, 5, 8, 13, 21, 34] as [UInt64]) func pagesOfRandomLives(seed: UInt64) throws {
    let mirror = try RandomMirrorLife.live(
      seed: seed, steps: 60, layout: .v17, path: folder.path + "/Life.store")
    try mirror.forge.close()
    let report = try Self.report(mirror.forge.path, title: "Ticket <4711>")
    let all = try Self.elements(of: report)
    func section(_ id: String) throws -> [XMLElement] {
      Self.elements(try #require(all.first { $0.attributes["id"] == id && $0.name == "section" }))
    }

    // The answer comes first: the word, the news, and the first fix.
    let heading = Self.words(try #require(all.first { $0.name == "h1" }))
    #expect(heading.contains(report.conclusion.health.word + ":"))
    #expect(all.contains { $0.attributes["class"] == "fix" } == (report.conclusion.fix != nil))
    #expect(all.first { $0.name == "strong" }.map(Self.words) == "Ticket <4711>")
    if report.diagnosis.findings.first?.rule.severity == .error {
      #expect([.blocked, .atRisk].contains(report.conclusion.health))
    }
    if report.conclusion.health == .healthy {
      #expect(report.diagnosis.worst() ?? .info == .info && report.verdict.passing.isEmpty)
    }

    #expect(
      all.filter { $0.name == "section" }.compactMap { $0.attributes["id"] }.filter { $0 != "notes" } == [
        "findings", "sync", "history", "storage", "model", "checked", "about",
      ])
    let (problems, notes) = (report.diagnosis.problems, report.diagnosis.notes)
    let cards = all.filter { $0.name == "article" }
    // Notes are no problems: they were among what to fix.
    if !problems.isEmpty {
      #expect(try section("findings").count { $0.name == "article" } == problems.count)
      #expect(all.contains { $0.attributes["id"] == "notes" } == !notes.isEmpty)
    }
    #expect(cards.count == report.diagnosis.findings.count)
    for (card, finding) in zip(cards, report.diagnosis.findings) {
      #expect(Self.words(card).contains("Fix:") && card.attributes["id"] == "finding-\(finding.rule.id)")
    }

    // It hid runs that shared a column with worse ones, while the legend counted them.
    let sync = try section("sync")
    if let lanes = sync.first(where: { $0.attributes["class"]?.contains("lanes") == true }) {
      let hints = Self.elements(lanes).filter { $0.attributes["class"] == "k" }
        .compactMap { $0.children.first { $0.name == "title" }?.text }
      let legend = try #require(sync.first { $0.attributes["class"] == "legend" })
      let counted = legend.children.map { Self.number(Self.words($0)) }.reduce(0, +)
      #expect(hints.map(Self.number).reduce(0, +) == counted && counted == report.mirror?.events)
      // Each says when it was, to the second.
      #expect(hints.allSatisfy { $0.contains(/\d\d:\d\d:\d\d(\.\d+)?Z/) })
    }
    // Each of several errors occurred once, and one was called the most frequent.
    let failures = (report.mirror?.failures ?? []).filter { !$0.isNoise }
    let errors = Dictionary(failures.map { ($0.error, $0.count) }, uniquingKeysWith: +).values.sorted()
    let captions = sync.filter { $0.name == "figcaption" }.map(Self.words)
    #expect(
      captions.contains { $0.contains("most often") }
        == (errors.count > 1 && errors[errors.count - 1] > errors[errors.count - 2]))
  }

  @Test func aStoreWithNothingWrongIsHealthy() throws {
    let forge = try StoreForge(path: folder.path("Plain.store"), model: FixtureModels.library)
    try forge.save { _ = try $0.insert("Book", ["title": "One"]) }
    // A WAL store without its WAL may lack commits.
    try forge.close(leaving: .wal)
    let report = try Self.report(forge.path)
    #expect(report.headline == "Healthy: No problems found." && report.conclusion.fix == nil)
    let all = try Self.elements(of: report)
    // "What to fix" stood above two notes, and a figure counted them as findings.
    let titles = all.filter { $0.name == "h2" }.map(Self.words)
    #expect(titles.contains("Notes") && !titles.contains("What to fix"), "\(titles)")
    #expect(report.figures.first?.label == "To fix" && report.figures.first?.value == "0")
    #expect(try !Self.markdown(of: report).contains("What to fix"))
    // One column as wide as the page shows nothing that a sentence doesn't.
    #expect(report.history?.summary.transactions == 1)
    #expect(!all.contains { $0.attributes["id"] == "p-changes-t" })
    // The same reason stood there 44 times.
    let because = report.diagnosis.skippedByReason.map(\.reason.because)
    #expect(Set(because).count == because.count)
    for because in because { #expect(all.count { $0.name == "li" && Self.words($0).contains(because) } == 1) }
    // What is empty isn't drawn: the table has it.
    #expect(EntityGraph.folded(report.graph, report.entities).nodes.count < report.entities.count)
  }

  /// By their place among the others, they changed from report to report.
  @Test func authorsKeepTheirColors() {
    func inks(_ labels: String...) -> [String: Ink?] {
      let chart = CountChart(of: "change", series: labels.map { CountChart.Series($0) })
      return Dictionary(uniqueKeysWithValues: AuthorSeries.drawn(chart).series.map { ($0.label, $0.ink) })
    }
    let few = inks("app", "NSCloudKitMirroringDelegate.import")
    let more = inks("Alpha", "NSCloudKitMirroringDelegate.import", "app", "zulu")
    #expect(few["app"] == more["app"])
    #expect(few["NSCloudKitMirroringDelegate.import"] == more["NSCloudKitMirroringDelegate.import"])
    #expect(Set(more.values.map { "\($0 ?? .others)" }).count == 4)
  }

  /// Authors that weren't drawn took colors, and two that were drawn shared one.
  @Test(arguments: [2, 6, 7, 8, 30]) func noTwoAuthorsShareAColor(authors: Int) {
    let own = (0..<authors).map { CountChart.Series("author \($0)", counts: [Int64($0): $0 + 1]) }
    let framework = CountChart.Series("NSCloudKitMirroringDelegate.import", counts: [0: 100])
    for series in [own, [framework] + own, own + [.init("(no author)", counts: [3: 50]), framework]] {
      let drawn = AuthorSeries.drawn(CountChart(of: "change", series: series)).series
      let inks = drawn.map { "\($0.ink ?? .bad)" }
      #expect(drawn.count == min(series.count, 7) && Set(inks).count == inks.count, "\(drawn)")
    }
  }

  /// Each migration of a model has an author of its own, and two pages were full of them.
  @Test func migrationsAreOneAuthor() {
    let name = "com.apple.coredata.schemamigrator: lightweight migration from model with digest { "
    let chart = CountChart(
      of: "change",
      series: [
        .init(name + "1 }", counts: [0: 2]), .init("app", counts: [0: 1]),
        .init(name + "2 }", counts: [0: 3, 5: 1]),
      ])
    let series = AuthorSeries.drawn(chart).series
    #expect(series.map(\.label) == ["app", "schema migrations"] && series[1].counts == [0: 5, 5: 1])
  }

  /// JSON had the picture's merged migrations, and lost who they were.
  @Test func jsonHasEveryAuthor() throws {
    let forge = try StoreForge(path: folder.path("Plain.store"), model: FixtureModels.library)
    let name = "com.apple.coredata.schemamigrator: lightweight migration from model with digest { "
    let authors = ["app"] + ["A", "B"].map { name + String(repeating: $0, count: 85) + "A== }" }
    for author in authors { try forge.save(author: author) { _ = try $0.insert("Book", ["title": "One"]) } }
    try forge.close()
    let history = try #require(try Self.report(forge.path).history)
    guard case .array(let days)? = HistoryFacts.fields.object(of: history)["changesByDay"] else {
      Issue.record("\(HistoryFacts.fields.object(of: history))")
      return
    }
    #expect(days.count == 1 && days[0]["changes"] == .object(authors.map { .init($0, 1) }))
  }

  /// A report called rules skipped that it had checked, but for a part.
  @Test(arguments: [true, false]) func partlyCheckedIsNotSkipped(isPartial: Bool) throws {
    let forge = try StoreForge(path: folder.path("Plain.store"), model: FixtureModels.library)
    try forge.close()
    var report = try Self.report(forge.path)
    let rule = try #require(report.diagnosis.checked.first)
    report.diagnosis.skipped = [.init(rule: rule, because: "A file is behind a link.", isPartial: isPartial)]
    if !isPartial { report.diagnosis.checked.removeFirst() }
    let masked = report.diagnosis.masked(
      ReportPrivacy(Marks(saltText: "test"), path: forge.path, names: [], entities: []))
    #expect(masked.skipped == report.diagnosis.skipped)
    let how = isPartial ? "checked only in part" : "skipped"
    let texts = try Self.elements(of: report).map(Self.words)
    #expect(texts.contains { $0.lowercased() == "\(how): \(rule). a file is behind a link." })
    #expect(texts.contains(isPartial ? "nothing found, checked only in part" : "skipped"))
    #expect(try Self.markdown(of: report).lowercased().contains("\(how): \(rule). a file is behind a link."))
  }

  /// doctor warned of missing commits, and the report didn't.
  @Test func commitsMayBeMissing() throws {
    let forge = try StoreForge(path: folder.path("Plain.store"), model: FixtureModels.library)
    try forge.save { _ = try $0.insert("Book", ["title": "One"]) }
    try forge.close(leaving: .nothing)
    #expect(
      try Self.report(forge.path).headline
        == "Healthy: No problems found, but newer commits may be in a missing -wal file. If one was left behind, copy the store and its -wal again, together, from where they came."
    )
  }
}
