import Archives
import Base
import Foundation
import Testing

@testable import Rendering

struct PageTests {
  private static let hostile = "a\u{0}<script>&\"'\u{202E}\u{FFFE}]]>"

  private static func text(_ markup: Markup) -> String {
    var bytes: [UInt8] = []
    let output = OutputBuffer(capacity: 4096) {
      bytes.append(contentsOf: $0)
      return true
    }
    markup.write(to: output)
    output.flush()
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func dataNeverBecomesMarkup() throws {
    let text = Self.text(.tag("p", ["title": Self.hostile], .text(Self.hostile)))
    #expect(!text.contains("<script") && !text.contains("\u{202E}") && text.contains("\\u{202e}"))
    let element = try XMLReader.read(Array(text.utf8))
    let shown = "a\\u{0}<script>&\"'\\u{202e}\\u{fffe}]]>"
    #expect(element.text == shown && element.attributes["title"] == shown)
  }

  /// Its patterns knew no fractions of seconds: local times were UTC ones under another name.
  @Test(arguments: [0, 0.5, 0.871, 0.000001]) func theScriptReadsEveryTime(fraction: Double) throws {
    let date = CoreDataDate(seconds: 797_973_609 + fraction)
    let patterns = PageScript.text.matches(of: /\/([^\/\n]*\\d\{4\}[^\/\n]*)\/(g|\.exec)/).map {
      String($0.1)
    }
    #expect(patterns.count == 2)
    func reads(_ text: String) throws -> Bool {
      try patterns.contains { try text.wholeMatch(of: Regex($0)) != nil }
    }
    #expect(try reads(DateText().second(date)))
    for precision in [TimeMarkup.Precision.minute, .second] {
      #expect(try reads(XMLReader.read(Array(Self.text(TimeMarkup.time(date, precision)).utf8)).text))
    }
    // In UTC the zone is named after the clock.
    let clock = try #require(PageScript.text.firstMatch(of: /replace\(\/([^\/\n]+)\/g, "\$1 UTC"/)?.1)
    #expect(try "at \(DateText().second(date))".contains(Regex(String(clock))))
  }

  /// A column of one change said "1 changes".
  @Test func oneIsSingular() {
    let chart = CountChart(
      of: "change", series: [.init("app", counts: [0: 1]), .init("widget", counts: [24: 2])])
    let text = Self.text(CountDrawing(chart).markup(id: "c", description: ""))
    #expect(text.contains("1 change by app") && text.contains("2 changes by widget"))
    #expect(text.contains("Changes per "))
  }

  /// Style and script stand in the page as they are, and their hashes in its policy.
  @Test(arguments: [PageStyle.text, PageScript.text]) func ownTextNeedsNoEscape(_ text: String) {
    #expect(!text.contains("<") && !text.contains("&") && !text.contains("]]>"))
    #expect(!text.contains("url(") && !text.contains("http") && !text.contains("@import"))
  }

  // MARK: - Colours

  /// The variables of a mode, as the style sheet has them.
  private static func colours(dark: Bool) -> [String: [Double]] {
    var colours: [String: [Double]] = [:]
    let parts = PageStyle.text.split { "{}".contains($0) }.filter { $0.contains("--paper:") }
    for declaration in parts[dark ? 1 : 0].split(separator: ";") {
      let sides = declaration.split(separator: ":").map { $0.drop { $0 == " " || $0 == "\n" } }
      guard sides.count == 2, sides[1].hasPrefix("#"), let number = Int(sides[1].dropFirst(), radix: 16)
      else {
        continue
      }
      colours[String(sides[0])] = [16, 8, 0].map { Double(number >> $0 & 255) / 255 }
    }
    return colours
  }

  /// https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio
  private static func contrast(_ one: [Double], _ other: [Double]) -> Double {
    func luminance(_ colour: [Double]) -> Double {
      let linear = colour.map { part -> Double in
        guard part > 0.04045 else { return part / 12.92 }
        return pow((part + 0.055) / 1.055, 2.4)
      }
      return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }
    let (a, b) = (luminance(one) + 0.05, luminance(other) + 0.05)
    return max(a, b) / min(a, b)
  }

  @Test(arguments: [false, true]) func textCanBeRead(dark: Bool) throws {
    let colours = Self.colours(dark: dark)
    let pairs =
      ["--ink", "--soft", "--link", "--good", "--wait", "--bad"].flatMap { ink in
        ["--paper", "--panel"].map { (ink, $0) }
      } + [
        ("--good", "--good-wash"), ("--wait", "--wait-wash"), ("--bad", "--bad-wash"),
        ("--ink", "--plain-wash"),
      ]
    for (ink, behind) in pairs {
      let ratio = Self.contrast(try #require(colours[ink]), try #require(colours[behind]))
      #expect(ratio >= 4.5, "\(ink) on \(behind): \(ratio)")
    }
    for shape in ["--s1", "--s2", "--s3", "--s4", "--s5", "--s6", "--so", "--strong", "--a1"] {
      let ratio = Self.contrast(try #require(colours[shape]), try #require(colours["--paper"]))
      #expect(ratio >= 3, "\(shape): \(ratio)")
    }
  }

  // MARK: - Parts

  @Test func tablesTellTheirNames() throws {
    let rows: [[PageTable.Cell]] = [[.name("Ann"), .count(12345)], [.name("Bo"), .bytes(1)]]
    let table = PageTable("People", ["name", "rows"], of: rows, total: 5) { $0 }
    let text = Self.text(.tag("div", [:], TableMarkup.of(table, title: .above)))
    let root = try XMLReader.read(Array(text.utf8))
    let found = try #require(root.children.first?.children.first?.children.first)
    #expect(found.name == "table" && found.children.first?.text == "People")
    #expect(text.contains("<th scope=\"col\" class=\"number\">rows</th>"))
    #expect(text.contains("<th scope=\"row\" class=\"name\"><bdi>Ann</bdi></th>"))
    #expect(text.contains("data-v=\"12345\">12,345</td>") && text.contains("and 3 more"))
    let empty = PageTable("None", ["x"], of: [[PageTable.Cell]](), emptyText: "Nothing.") { $0 }
    #expect(Self.text(TableMarkup.of(empty, title: .above)).contains("Nothing."))
  }

  @Test func timesAreToldToTheMinute() {
    #expect(
      TextForPeople.shortTimes("At 2026-04-16T06:45:22.871Z, since (2026-04-15T19:20:09Z) Zone 7Z.")
        == "On 2026-04-16 06:45, since (2026-04-15 19:20) Zone 7Z.")
  }

  @Test(arguments: [(0, 1), (1, 1), (3, 3), (10, 2), (29, 2), (999, 1), (12_345, 2)])
  func scalesHaveFewRoundLines(_ most: Int, _ lines: Int) {
    let scale = NiceScale(upTo: most)
    #expect(scale.ticks.count == lines && scale.ticks.allSatisfy { $0 <= max(1, most) }, "\(scale.ticks)")
  }

  @Test(arguments: [(0.5, "50%"), (1.0 / 3, "33.33%"), (0.105, "10.5%"), (0, "0%"), (1.0 / 0, "0%")])
  func lengthsAreShort(_ part: Double, _ text: String) { #expect(Length.percent(part) == text) }
}
