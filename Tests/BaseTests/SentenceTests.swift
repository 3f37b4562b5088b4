import Testing

@testable import Base

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

@Suite struct StoreScopeErrorTests {
  @Test func theSentenceIsComposedOfItsParts() {
    #expect("\(StoreScopeError(.foreign, "a.db", "is no store"))" == "'a.db' is no store.")
    #expect("\(StoreScopeError(.limit, plain: "a.db", "is too large"))" == "a.db is too large.")
    #expect("\(StoreScopeError(.lacking, "The store has no UUID"))" == "The store has no UUID.")
    #expect(
      "\(StoreScopeError.unreadable("a.db", "it is empty", advice: "restore a backup"))"
        == "can't open 'a.db': it is empty; restore a backup.")
  }

  /// What is in a sentence already decides whether the next part goes on with it or begins one.
  @Test(arguments: [
    (nil, "'a' is there; nothing was changed."),
    ("move it", "'a' is there; move it. Nothing was changed."),
    ("Move it", "'a' is there. Move it; nothing was changed."),
    ("Move it.", "'a' is there. Move it. Nothing was changed."),
  ])
  func noSentenceHoldsThreeClauses(_ advice: String?, _ sentence: String) {
    let error = StoreScopeError(.occupied, "a", "is there", advice: advice, outcome: .unchanged)
    #expect(error.description == sentence)
  }

  @Test func whatEndsWithAMarkOfItsOwnGetsNoOther() {
    let asks = StoreScopeError(.notFound, "a", "has no 'b'. Did you mean 'c'?", advice: "'ls' lists them")
    #expect("\(asks)" == "'a' has no 'b'. Did you mean 'c'? 'ls' lists them.")
    #expect("\(StoreScopeError(.failed, "Why?"))" == "Why?")
  }

  @Test func aClauseGoesIntoASentenceOfSomebodyElses() {
    let cause = StoreScopeError.failed("can't open", "b", "Permission denied")
    let error = StoreScopeError(.unreadable, "a", "is no backup: \(cause.clause)", advice: "name another")
    #expect("\(error)" == "'a' is no backup: can't open 'b': Permission denied; name another.")
    #expect(cause.remark == "Permission denied")
  }

  @Test func whatWrapsAnErrorIsOfItsKindAndAboutTheSame() {
    let error = StoreScopeError(StoreScopeError(.busy, "a", "is in use"), outcome: .unchanged)
    #expect("\(error)" == "'a' is in use. Nothing was changed.")
    #expect(error.kind == .busy && error.subject == "a")
    #expect(StoreScopeError(InterruptedError()).kind == .failed)
  }

  /// A subject comes from a stranger's store and may look like anything.
  @Test func aSubjectIsPrintedAsItIs() {
    #expect(
      "\(StoreScopeError(.foreign, "; x. ", "is no store", advice: "use another"))"
        == "'; x. ' is no store; use another.")
  }
}

struct SystemErrorTests {
  /// "Operation not permitted" left people looking for rights, which aren't what is missing.
  @Test(arguments: [(Int32(1), true, true), (1, false, false), (13, true, false), (2, true, false)])
  func protectionIsExplained(_ number: Int32, isMac: Bool, _ expected: Bool) {
    #expect(Platform.text(ofOpeningError: number, isMac: isMac).contains("Full Disk Access") == expected)
  }
}
