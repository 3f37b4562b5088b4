import Foundation
import TestSupport
import Testing

/// The README's pictures show what people see of the demo store. `RECORD_SNAPSHOTS=1 swift test --filter PictureTests`
/// draws them again.
@Suite(.serialized, .waiting) final class PictureTests: DemoSuite {
  private static func file(_ name: String) -> URL { GuidePage.file(".github/\(name).svg") }

  private static let clock = ["SOURCE_DATE_EPOCH": "1776556800"]

  @Test func shell() throws {
    let session = try TerminalSession(
      [demo.path, "--no-pager"], columns: 80, rows: 40, environment: Self.clock)
    // The prompt doesn't wait for the count.
    try session.run("")
    try session.wait("the count") { session.screen.text.hasSuffix("Journeys.store 25 pending>\n") }
    session.forget()
    for line in ["history --by author", "search golden", "trace 1"] { try session.run(line) }
    try session.quit()
    let lines = session.screen.wholeLines.filter { line in
      let text = String(line.map(\.character)).trimmingCharacters(in: .whitespaces)
      return !text.hasSuffix("pending>")
    }
    try expectSnapshot(
      TerminalPicture(lines).svg(title: "The shell of storescope with a store open"), at: Self.file("shell"))
  }

  @Test func report() throws {
    let result = try demo.folder.run(
      "report", "Journeys.store", "-o", "-", "--title", "Ticket 4711", "--salt", "README",
      environment: Self.clock
    ).expectDone()
    try expectSnapshot(
      try PagePicture(result.output).svg(title: "A report of storescope"), at: Self.file("report"))
  }
}

/// A terminal's screen as SVG.
private struct TerminalPicture {
  private static let (width, height, margin) = (8.4, 18, 16)

  let lines: [[TerminalScreen.Cell]]

  init(_ lines: [[TerminalScreen.Cell]]) {
    func isEmpty(_ line: [TerminalScreen.Cell]) -> Bool { line.allSatisfy { $0.character == " " } }
    self.lines = lines.drop(while: isEmpty).reversed().drop(while: isEmpty).reversed()
  }

  func svg(title: String) -> String {
    let width = Int(Double(lines.map(\.count).max() ?? 0) * Self.width) + 2 * Self.margin
    let height = lines.count * Self.height + 2 * Self.margin
    let drawn = lines.indices.map { line in
      let y = Self.margin + line * Self.height + 13
      return runs(lines[line]).map { text($0.text, from: $0.start, $0.look, y: y) }.joined()
    }.joined()
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" role="img">
      <title>\(title)</title>
      <style>
      text { font: 14px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #e6e6e2; white-space: pre; }
      .b { font-weight: 700; } .f { fill: #9a9ea6; } .c31 { fill: #ff8f85; } .c32 { fill: #7fcb98; } .c33 { fill: #f0bb5e; }
      </style>
      <rect width="100%" height="100%" rx="8" fill="#17191c"/>
      \(drawn)</svg>

      """
  }

  private func runs(_ line: [TerminalScreen.Cell]) -> [(text: String, start: Int, look: TerminalScreen.Look)]
  {
    var runs: [(text: String, start: Int, look: TerminalScreen.Look)] = []
    for (column, cell) in line.enumerated() {
      if let last = runs.indices.last, runs[last].look == cell.look {
        runs[last].text.append(cell.character)
      } else {
        runs.append((String(cell.character), column, cell.look))
      }
    }
    return runs
  }

  /// As wide as in a terminal, whatever font there is.
  private func text(_ text: String, from column: Int, _ look: TerminalScreen.Look, y: Int) -> String {
    let start = text.prefix { $0 == " " }.count
    let shown = text.dropFirst(start).trimmingCharacters(in: .whitespaces)
    guard !shown.isEmpty else { return "" }
    let names = [look.isBold ? "b" : nil, look.isFaint ? "f" : nil, look.color.map { "c\($0)" }].compactMap(
      \.self)
    let x = Double(Self.margin) + Double(column + start) * Self.width
    func number(_ value: Double) -> String { String(format: "%.1f", value) }
    let kind = names.isEmpty ? "" : #" class="\#(names.joined(separator: " "))""#
    let place = #"x="\#(number(x))" y="\#(y)" textLength="\#(number(Double(shown.count) * Self.width))""#
    let escaped = shown.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    return "<text \(place) lengthAdjust=\"spacingAndGlyphs\"\(kind)>\(escaped)</text>\n"
  }
}

/// The beginning of a report's page as SVG: the page itself, as pages are XML, up to what there is to fix.
private struct PagePicture {
  private let style: Substring
  private let body: String

  init(_ page: String) throws {
    style = try #require(page.firstMatch(of: /<style>([\s\S]*?)<\/style>/)).1
    let end = try #require(page.range(of: #"<section id="sync""#)).lowerBound
    let start = try #require(page.range(of: "<body>")).upperBound
    body = page[start..<end].replacing(/(<\/summary>)[\s\S]*?(<\/details>)/) { "\($0.1)\($0.2)" } + "</main>"
  }

  func svg(title: String) -> String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" width="1200" height="900" viewBox="0 0 1200 900" role="img">
    <title>\(title)</title>
    <style>\(style)</style>
    <rect x="0.5" y="0.5" width="1199" height="899" rx="8" fill="var(--paper)" stroke="var(--rule)"/>
    <foreignObject x="1" y="1" width="1198" height="898"><body xmlns="http://www.w3.org/1999/xhtml">\(body)</body></foreignObject>
    </svg>

    """
  }
}
