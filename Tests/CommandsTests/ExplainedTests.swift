import Diagnostics
import Explanations
import Testing

@testable import Commands

struct ExplainedTests {
  /// "Resolves itself?" was answered with "Only a repair removes it."
  @Test(arguments: ExplanationCatalog.all.filter { $0.resolvesItself != .doesNotApply })
  func theQuestionIsAnswered(_ explanation: Explanation) {
    let text = "\(explanation.blocks)"
    #expect(text.contains(/Resolves itself\? (Yes|No|Sometimes): [a-z]/), "\(text)")
  }

  /// "Confidence: app authors report it (reports of app authors)" gave the answer as its own source.
  @Test(arguments: ExplanationCatalog.all) func noSourceIsTheAnswerAgain(_ explanation: Explanation) {
    #expect(!"\(explanation.blocks)".contains(/report it \(.*reports of app authors/))
  }

  /// One cause had two fixes: the account's storage, and a request to the user.
  @Test func fullStorageHasOneFix() throws {
    let rule = try #require(RuleRegistry.rule("event-quota-exceeded"))
    #expect(rule.header.remedy.hasPrefix(StorageAdvice.free))
    for word in ["CKErrorDomain 25", "quota"] {
      let explanation = try #require(ExplanationCatalog.explanations(for: word).first)
      #expect(explanation.advice.hasPrefix(StorageAdvice.free), "\(explanation)")
    }
  }
}
