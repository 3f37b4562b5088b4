import SystemCalls
import Testing
import Values

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
