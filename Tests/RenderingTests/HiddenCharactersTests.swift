import Testing
import Values

@testable import Rendering

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
