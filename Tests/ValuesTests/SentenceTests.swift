import Testing
import Values

@Suite struct SentenceTests {
  @Test(arguments: [("a", "a."), ("a.", "a."), ("a?", "a?"), ("a!", "a!"), ("", "")])
  func endsOnce(_ text: String, _ ended: String) { #expect(Sentence.ended(text) == ended) }

  @Test func countsInWords() {
    #expect([0, 1, 2].map { Sentence.count($0, "row") } == ["0 rows", "1 row", "2 rows"])
    #expect(Sentence.count(2, "entity", "entities") == "2 entities")
  }
}
