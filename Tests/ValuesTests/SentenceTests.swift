import Testing
import Values

@Suite struct SentenceTests {
  @Test(arguments: [("a", "a."), ("a.", "a."), ("a?", "a?"), ("a!", "a!"), ("", "")])
  func endsOnce(_ text: String, _ ended: String) { #expect(Sentence.ended(text) == ended) }

  @Test(
    arguments: [
      (0, 5, "0%"), (1, 1000, "<1%"), (58, 100, "58%"), (999, 1000, "100%"), (1, 0, ""),
      (Int64.max, Int64.max, "100%"),
    ] as [(Int64, Int64, String)])
  func percentHaveOneStyle(_ part: Int64, _ whole: Int64, _ text: String) {
    #expect(Sentence.percent(part, of: whole) == text)
  }

  @Test func countsInWords() {
    #expect([0, 1, 2].map { Sentence.count($0, "row") } == ["0 rows", "1 row", "2 rows"])
    #expect(Sentence.count(2, "entity", "entities") == "2 entities")
  }
}
