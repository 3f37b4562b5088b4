import Base
import Rendering
import TestSupport
import Testing

struct ChartTests {
  /// Hours since 1970-01-01 of a moment.
  static func hour(_ text: String) -> Int64 { ISO8601.parse(text)?.hour ?? 0 }

  static let start = hour("2026-03-01T00:00:00Z")

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var chart: Chart
    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(
      name: "days",
      chart: .counts(
        CountChart(
          of: "change",
          series: [
            .init("app", counts: counts(every: 24, 30) { 3 + $0 % 7 * 5 }),
            .init("import", counts: [start + 24 * 3: 120]),
            .init("(no author)", counts: [start + 24 * 20: 1]),
          ]))),
    Case(
      name: "hours",
      chart: .counts(
        CountChart(of: "change", series: [.init("app", counts: counts(every: 1, 14) { $0 * $0 })]))),
    Case(
      name: "years",
      chart: .counts(
        CountChart(
          of: "change",
          series: [
            .init(
              "clocks", counts: [hour("0001-01-01"): 1, hour("2026-03-01"): 7, hour("9999-12-31"): 2],
              undated: 4)
          ]))),
    Case(
      name: "one-bucket",
      chart: .counts(
        CountChart(
          of: "change", series: [.init("a", counts: [start: 5]), .init("b", counts: [start: 1])]))),
    Case(name: "empty", chart: .counts(CountChart(of: "change", series: []))),
    Case(
      name: "undated",
      chart: .counts(CountChart(of: "change", series: [.init("a", undated: 3)]))),
    Case(
      name: "huge",
      chart: .counts(
        CountChart(
          of: "change",
          series: [
            .init("a", counts: [start: .max, start + 24: 1]),
            .init("b", counts: [start: .max, start + 60: .max / 2]),
          ]))),
    Case(
      name: "hostile",
      chart: .counts(
        CountChart(
          of: "change",
          series: [
            .init("\u{1B}[2J\u{7}\nx", counts: [start: 2, start + 30: 9]),
            .init("\u{202E}" + String(repeating: "long ", count: 50), counts: [start + 50: 4]),
            .init("日本語の著者名はとても長いことがあります", counts: [start + 70: 6]), .init("", counts: [start + 90: 1]),
          ]))),
    Case(
      name: "many-authors",
      chart: .counts(
        CountChart(
          of: "change",
          series: (0..<40).map { .init("author \($0)", counts: [start + Int64($0) * 24: 40 - $0 / 2]) }))),
    Case(name: "marks", chart: .marks(MarkChart(subject: "Events", lines: lines))),
    Case(
      name: "marks-empty",
      chart: .marks(MarkChart(subject: "Events", lines: [.init("setup"), .init("import")]))),
    Case(
      name: "marks-one-bucket",
      chart: .marks(MarkChart(subject: "Events", lines: [line("export", [(0, .failed)])]))),
    Case(
      name: "marks-undated",
      chart: .marks(MarkChart(subject: "Events", lines: [undated]))),
    Case(
      name: "bars",
      chart: .bars(
        BarChart(
          title: "By kind",
          bars: [.init("upload", 1234), .init("link", 3), .init("share", 0), .init("unanalyzed", 617)])
      )),
    Case(name: "bars-empty", chart: .bars(BarChart(title: "By kind", bars: []))),
    Case(
      name: "bars-huge",
      chart: .bars(BarChart(title: "By \u{1B}kind", bars: [.init("a\u{1B}[31m", .max), .init("b", 1)]))),
  ]

  private static func counts(every hours: Int64, _ count: Int, _ value: (Int) -> Int) -> [Int64: Int] {
    Dictionary(uniqueKeysWithValues: (0..<count).map { (start + Int64($0) * hours, value($0)) })
  }

  private static func line(_ label: String, _ marks: [(Int64, MarkChart.Mark)]) -> MarkChart.Line {
    var line = MarkChart.Line(label)
    for (hours, mark) in marks { line.add(mark, hour: start + hours) }
    return line
  }

  private static let lines = [
    line("setup", [(0, .succeeded), (700, .succeeded)]),
    line("import", (0..<60).map { ($0 * 12, $0 % 9 == 4 ? .noise : .succeeded) }),
    // The worst of a day is what shows.
    line(
      "export", [(0, .succeeded), (1, .failed), (2, .noise), (300, .noise), (301, .open), (650, .failed)]),
  ]

  private static let undated: MarkChart.Line = {
    var line = MarkChart.Line("unknown")
    line.add(.open, hour: nil)
    return line
  }()

  /// All charts of one look in a file, which people can read through.
  @Test(arguments: [(80, true), (80, false), (200, true), (200, false)])
  func lookAsRecorded(width: Int, hasUnicode: Bool) throws {
    let style = TextStyle(width: width, hasUnicode: hasUnicode)
    let text = try Self.cases.map { testCase in
      try "\(testCase.name)\n" + rendered(chart(testCase.chart), .table, style: style)
    }
    try expectSnapshot(
      text.joined(separator: "\n"), named: "charts-\(width)-\(hasUnicode ? "unicode" : "ascii").txt")
  }

  private func chart(_ chart: Chart) -> Document { Document(command: "x", blocks: [.chart { chart }]) }

  @Test(arguments: cases, [40, 80, 81, 132, 200])
  func fits(_ testCase: Case, width: Int) throws {
    for hasUnicode in [true, false] {
      let text = try rendered(
        chart(testCase.chart), .table, style: TextStyle(width: width, hasUnicode: hasUnicode))
      for line in text.split(separator: "\n") {
        // Sums as long as Int.max leave too little room on the narrowest.
        if width >= 80 { #expect(TerminalText.width(String(line)) <= width, "\(line)") }
        #expect(!line.hasSuffix(" ") && TerminalText.escaped(String(line)) == line)
      }
      if !hasUnicode, testCase.name != "hostile" { #expect(text.utf8.allSatisfy { $0 < 0x80 }) }
    }
  }

  @Test func aFileIsEightyColumnsWide() throws {
    for testCase in Self.cases {
      #expect(
        try rendered(chart(testCase.chart), .table, style: TextStyle())
          == rendered(chart(testCase.chart), .table, style: TextStyle(width: 80)))
    }
  }

  @Test func markdownFencesIt() throws {
    let text = try rendered(chart(.bars(BarChart(title: "a", bars: [.init("``````", 1)]))), .markdown)
    #expect(text.hasPrefix("```````\na\n``````") && text.hasSuffix("\n```````\n"))
  }

  @Test func otherFormatsDoNotMakeIt() throws {
    var document = Document(command: "x", fields: [.init("rows", [1])], payload: "rows")
    document.blocks = [
      .chart {
        Issue.record("a chart was made that nobody sees")
        return .bars(BarChart(title: "", bars: []))
      }
    ]
    for format in [Format.json, .ndjson, .csv] { _ = try rendered(document, format) }
  }

  struct Step: Sendable, CustomTestStringConvertible {
    var from: String
    var to: String
    var unit: String
    var testDescription: String { "\(from) to \(to)" }
  }

  /// Of 80 columns some 70 are left for the chart.
  @Test(arguments: [
    Step(from: "2026-03-01T00:00", to: "2026-03-01T00:59", unit: "hour"),
    Step(from: "2026-03-01T00:00", to: "2026-03-03T12:00", unit: "hour"),
    Step(from: "2026-03-01", to: "2026-04-30", unit: "day"),
    Step(from: "2025-12-29", to: "2026-12-31", unit: "week"),
    Step(from: "2020-01-01", to: "2025-12-31", unit: "month"),
    Step(from: "1970-01-01", to: "2026-03-01", unit: "year"),
    Step(from: "1901-01-01", to: "2026-03-01", unit: "10 years"),
    Step(from: "0000-01-01", to: "9999-12-31", unit: "1000 years"),
  ])
  func theStepFitsTheWidth(_ step: Step) throws {
    let counts = [Self.hour(step.from): 1].merging([Self.hour(step.to): 1]) { $0 + $1 }
    let text = try rendered(
      chart(.counts(CountChart(of: "change", series: [.init("a", counts: counts)]))), .table,
      style: TextStyle(width: 80))
    #expect(text.hasPrefix("Changes per \(step.unit) (UTC)\n"), "\(text)")
  }

  @Test func datesWithoutACalendarHaveNoHour() {
    for seconds in [Double.nan, .infinity, -.infinity, 1e300, -1e300, 1e12] {
      #expect(CoreDataDate(seconds: seconds).hour == nil)
    }
    #expect(CoreDataDate(unixSeconds: -1).hour == -1)
    #expect(CoreDataDate(unixSeconds: 3600).hour == 1)
  }
}
