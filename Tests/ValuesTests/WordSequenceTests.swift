import Testing
import Values

/// A text that a screen showed in one line, and that was copied from there, wasn't found.
struct WordSequenceTests {
  @Test(
    arguments: [
      ("warm water with", "dissolve in the warm water\nwith 1 tbsp. flour", "warm water with"),
      ("arm wat", "the warm water", "arm wat"),
      ("Elder Park, Adelaide", "\u{200E}elder\u{A0}park — Adelaide", "elder park — Adelaide"),
      ("a b", "a  b", "a  b"), ("a b a c", "a b a b a c", "a b a c"), ("é x", "E\u{301}  X", "E\u{301}  X"),
      ("a b", "a", nil), ("a b", "ab", nil), ("a b c", "a c b", nil),
      // The last sigma of a word was another letter.
      ("οδος αθηνων", "Η ΟΔΟΣ\nΑΘΗΝΩΝ 5", "ΟΔΟΣ ΑΘΗΝΩΝ"), ("strasse Köln", "STRASSE\r\nKÖLN", "STRASSE KÖLN"),
      ("day 2 of 10", "Day 2 of 100, day 2 of 10", "day 2 of 10"), ("ab bab", "bab bab", "bab bab"),
      ("warm water", "warm waxes water", nil), ("No. 3", "No 35", nil), ("Day 2", "day 2.", "day 2"),
    ] as [(String, String, String?)]) func wordsAreFoundInARow(
      _ typed: String, _ text: String, _ found: String?
    ) throws
  {
    let hit = try #require(WordSequence(typed)).hit(in: text)
    #expect((hit == nil) == (found == nil))
    if let found { #expect(hit?.snippet(100).contains(found) == true) }
  }

  /// Not all of a text is taken apart into words: what can't match is passed over, and the rest must still be found.
  @Test func aRowBehindALongTextIsFound() throws {
    let text = String(repeating: "some words of a text ", count: 50_000)
    let sequence = try #require(WordSequence("needle in haystacks"))
    #expect(sequence.hit(in: text + "a needle\nin haystacks")?.snippet(100).contains("needle") == true)
    #expect(sequence.hit(in: text + "a needle\nin a haystack") == nil)
  }

  @Test(arguments: ["", "word", "…", "3.5", "10:31", "2026-03-20", String(repeating: "word ", count: 50)])
  func othersAreNone(_ text: String) { #expect(WordSequence(text) == nil) }
}
