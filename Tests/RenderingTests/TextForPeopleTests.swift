import Base
import Testing

@testable import Rendering

struct TextForPeopleTests {
  /// Entities in other scripts were printed as URIs encode them. What couldn't be typed again stays encoded.
  @Test(arguments: [
    ("x-coredata://U/Person/p12", "Person/p12"), ("x-coredata://U/Gr%C3%B6%C3%9Fe/p1", "Größe/p1"),
    ("x-coredata://U/%E6%97%A5%E8%A8%98/p2", "日記/p2"), ("x-coredata://U/A%2FB/p1", "A%2FB/p1"),
    ("x-coredata://U/A%1B%5B2J/p1", "A%1B%5B2J/p1"),
  ]) func objectsAreNamedAsTheAppDoes(_ uri: String, _ name: String) {
    #expect(TextForPeople.objectName(ofURI: uri) == name)
  }

  @Test(arguments: [
    (0, "0 B"), (137, "137 B"), (999, "999 B"), (1000, "1 kB"), (1462, "1.5 kB"), (9950, "10 kB"),
    (24_100, "24 kB"), (462_848, "463 kB"), (999_499, "999 kB"), (999_500, "1 MB"), (1_462_000, "1.5 MB"),
    (31_928_320, "32 MB"), (5_000_000_000, "5 GB"), (Int64.max, "9223372 TB"),
  ]) func sizesHaveOneStyle(_ bytes: Int64, _ text: String) {
    #expect(Sentence.size(bytes) == text)
  }

  @Test(arguments: [
    (0, "0"), (999, "999"), (1000, "1,000"), (19929, "19,929"), (-1_234_567, "-1,234,567"),
    (Int.min, "-9,223,372,036,854,775,808"),
  ]) func numbersHaveOneStyle(_ number: Int, _ text: String) {
    #expect(Sentence.number(number) == text)
    #expect(Sentence.count(number, "row") == "\(text) rows")
  }

  @Test func datesAreShortWhereTheYearGoesWithoutSaying() throws {
    let date = try #require(ISO8601.parse("2026-04-02T08:02:36.480Z"))
    let plain = DateText()
    let short = DateText(thisYear: 2026)
    #expect(plain.second(date) == "2026-04-02 08:02:36.48Z")
    #expect(plain.minute(date) == "2026-04-02 08:02" && plain.day(date) == "2026-04-02")
    #expect(short.minute(date) == "Apr 2 08:02" && short.minute(date, aligned: true) == "Apr  2 08:02")
    #expect(DateText(thisYear: 2027).minute(date) == "2026-04-02 08:02")
    #expect(DateText.year(of: date) == 2026)
    let impossible = CoreDataDate(seconds: .infinity)
    #expect(plain.minute(impossible) == "an impossible time" && plain.second(impossible).contains("inf"))
  }

  /// A date copied from a table, without its fraction, found nothing in SQL.
  @Test(arguments: [
    ("2026-04-02 08:02:36Z", "2026-04-02 08:02:36Z"), ("2026-04-02 08:02:36.5Z", "2026-04-02 08:02:36.5Z"),
    ("2026-04-02 08:02:36.000001Z", "2026-04-02 08:02:36.000001Z"),
    ("2026-04-02 23:59:59.9999999Z", "2026-04-03 00:00:00Z"),
    ("1969-12-31 23:59:59.25Z", "1969-12-31 23:59:59.25Z"),
    ("0001-01-01 00:00:00.5", "0001-01-01 00:00:00.5Z"),
  ]) func datesAreShownAsTheyCompare(_ written: String, _ shown: String) throws {
    let date = try #require(ISO8601.parse(written))
    #expect(DateText().second(date) == shown)
    #expect(ISO8601.parse(shown)?.iso8601 == date.iso8601)
  }

  @Test func sentencesNameTheZoneOnce() {
    let text = "Since 2026-04-15T19:20:09Z, 2 failed (last 2026-03-29T02:59:51.008000Z). Zone 7Z."
    #expect(
      DateText(thisYear: 2026).shortened(text)
        == "Since Apr 15 19:20, 2 failed (last Mar 29 02:59 UTC). Zone 7Z.")
  }

  /// "Inserted by app at Apr 16 13:47" isn't English. "Apr 16 at 13:47" stood next to "since Apr 15 19:20", and isn't what
  /// tables print.
  @Test(arguments: [
    ("Saved at 2026-04-16T13:47:58.215000Z.", "Saved on Apr 16 13:47 UTC."),
    ("At 2025-04-16T13:47:58Z, 2 failed.", "On 2025-04-16 13:47 UTC, 2 failed."),
    ("Looked at (2026-04-16T13:47:58Z).", "Looked at (Apr 16 13:47 UTC)."),
  ]) func thingsHappenOnADay(_ text: String, _ sentence: String) {
    #expect(DateText(thisYear: 2026).shortened(text) == sentence)
  }

  /// 'explain date' showed how dates look in JSON, shortened.
  @Test func quotedDatesStay() {
    let text = "JSON has '2026-03-22T15:00:00.500000Z'."
    #expect(DateText(thisYear: 2026).shortened(text) == text)
  }

  @Test func wrappingBreaksLongWordsWhereItMust() {
    #expect(TerminalText.wrapped("one abcdefghij two", to: 6, breaksWords: true) == "one\nabcdef\nghij\ntwo")
    #expect(TerminalText.wrapped("a b", to: 6) == "a b")
    #expect(TerminalText.shortened("x-coredata://ABC/Trip/p1", to: 15, keepsEnd: true) == "x-cored…Trip/p1")
    #expect(TerminalText.shortened("some long words", to: 8, keepsEnd: true) == "some lo…")
  }
}

/// L8: names and values with characters that show nothing looked like other names, could carry a hidden message, and
/// 100,000 combining marks took one column of a table.
struct HiddenCharactersTests {
  static let hidden: [(UInt32, ClosedRange<UInt32>)] = [
    (0xAD, 0xAD...0xAD), (0x115F, 0x115F...0x1160), (0x180E, 0x180B...0x180F), (0x200B, 0x200B...0x200F),
    (0x2028, 0x2028...0x202E), (0x2060, 0x2060...0x206F), (0x3164, 0x3164...0x3164),
    (0xFE00, 0xFE00...0xFE0F),
    (0xFEFF, 0xFEFF...0xFEFF), (0xFFA0, 0xFFA0...0xFFA0), (0xFFF9, 0xFFF9...0xFFFB),
    (0xE0000, 0xE0000...0xE007F), (0xE0100, 0xE0100...0xE01EF),
  ]

  @Test(arguments: hidden.map(\.1)) func showAsEscapes(_ range: ClosedRange<UInt32>) throws {
    for value in range {
      let scalar = try #require(Unicode.Scalar(value))
      for (before, after) in [("a", "b"), ("", ""), ("é", ""), ("", "\u{1F600}"), ("1", "2")] {
        let text = before + String(scalar) + after
        let shown = "\(before)\\u{\(String(value, radix: 16))}\(after)"
        #expect(TerminalText.escaped(text) == shown)
        #expect(HTMLText.escaped(text) == shown)
        #expect(try rendered(document(text), .markdown).contains("\\\\u{\(String(value, radix: 16))}"))
      }
    }
  }

  /// What writing needs is not taken from it.
  @Test(arguments: [
    "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "\u{2764}\u{FE0F}", "\u{2764}\u{FE0F}\u{200D}\u{1F525}",
    "\u{1F3F3}\u{FE0F}\u{200D}\u{1F308}", "\u{1F44D}\u{1F3FD}", "می\u{200C}خواهم", "ක්\u{200D}ෂ", "श्\u{200D}रे",
    "葛\u{E0100}", "e\u{301}\u{323}", "שָׁלוֹם", "นี้", "naïve", "日本語",
  ]) func writingStays(_ text: String) {
    #expect(TerminalText.escaped(text) == text)
    #expect(HTMLText.escaped(text) == text)
  }

  /// Joiners and selectors where they join nothing, one behind the other, and a message in tags behind an emoji.
  @Test(arguments: [
    ("a\u{200D}b", "a\\u{200d}b"), ("می\u{200C}", "می\\u{200c}"),
    ("\u{1F600}\u{200D}a", "\u{1F600}\\u{200d}a"),
    ("\u{1F600}\u{FE0F}\u{FE0F}", "\u{1F600}\u{FE0F}\\u{fe0f}"),
    ("葛\u{E0100}\u{E0101}", "葛\u{E0100}\\u{e0101}"), ("\u{1F600}\u{E0041}", "\u{1F600}\\u{e0041}"),
  ]) func restShows(_ text: String, _ shown: String) {
    #expect(TerminalText.escaped(text) == shown)
  }

  @Test func marksDoNotPileUp() throws {
    let text = "e" + String(repeating: "\u{301}", count: 100_000)
    let shown = TerminalText.escaped(text)
    #expect(shown.hasPrefix("e" + String(repeating: "\u{301}", count: 8) + "\\u{301}\\u{301}"))
    #expect(shown.unicodeScalars.filter { $0 == "\u{301}" }.count == 8)
    let table = try rendered(document(text), .table, width: 80)
    #expect(table.split(separator: "\n").allSatisfy { TerminalText.width(String($0)) <= 80 })
    #expect(table.unicodeScalars.count < 1000)
  }

  /// Machines get what is there.
  @Test(arguments: [Format.json, .ndjson, .csv]) func machinesGetAll(_ format: Format) throws {
    #expect(try rendered(document("a\u{AD}b\u{E0041}c"), format).contains("a\u{AD}b\u{E0041}c"))
  }

  private func document(_ text: String) -> Document {
    let rows = RowStream(columns: [.init("name")], rows: [[.text(text)]])
    return Document(
      command: "rows", fields: [.init("rows", rows: rows)], payload: "rows", blocks: [.table(rows)])
  }
}

/// Counts by name: a screen that is too small cuts off the smallest ones.
struct TallyTests {
  private func text(_ entries: [(name: String, count: Int, note: String)], width: Int) throws -> String {
    try rendered(Document(command: "x", blocks: [.tally(entries)]), .table, width: width)
  }

  /// Those with sub-entities came last, so that the second-largest was cut off.
  @Test func theOrderIsKept() throws {
    let entries = [
      ("Photo", 425, ""), ("Album", 73, "Smart 40, Plain 33"), ("Keyword", 31, ""), ("Face", 13, ""),
      ("Moment", 12, ""), ("Place", 2, "City 2"), ("Tag", 1, ""),
    ]
    #expect(
      try text(entries, width: 36) == """
          Photo    425
          Album     73  (Smart 40, Plain 33)
          Keyword   31   Face  13
          Moment    12
          Place      2  (City 2)
          Tag        1

        """)
    #expect(
      try text(entries, width: 60) == """
          Photo    425
          Album     73  (Smart 40, Plain 33)
          Keyword   31   Face  13   Moment  12
          Place      2  (City 2)
          Tag        1

        """)
  }

  @Test func nothingIsWiderThanTheScreen() throws {
    let entries = (1...40).map { ("Entity" + String(repeating: "x", count: $0 * 2), $0 * $0 * 100, "") }
    for width in [20, 41, 80, 200] {
      for line in try text(entries, width: width).split(separator: "\n") {
        #expect(line.count <= max(width, 40))
      }
    }
    #expect(try text([], width: 80) == "")
  }
}
