import Testing

@testable import Explanations

/// The texts are read in a terminal, often in a hurry: complete, short, and alike in form.
@Suite struct ExplanationStyleTests {
  @Test(arguments: ExplanationCatalog.all) func isComplete(_ explanation: Explanation) {
    #expect(!explanation.subject.isEmpty)
    #expect(!explanation.name.isEmpty)
    #expect(!explanation.sources.isEmpty)
    #expect((explanation.domain == nil) == (explanation.code == nil))
    if explanation.code != nil {
      #expect(!explanation.causes.isEmpty)
      #expect(explanation.resolvesItself != .doesNotApply)
    }
    for text in explanation.synonyms + explanation.sources { #expect(!text.isEmpty) }
  }

  @Test(arguments: ExplanationCatalog.all) func isWrittenInSentences(_ explanation: Explanation) {
    for text in [explanation.meaning, explanation.advice]
      + [explanation.resolvesItself.words].compactMap(\.self)
    {
      #expect(text.hasSuffix("."), "\(text)")
      #expect(sentences(text) <= 3, "\(text)")
      #expect(text.count <= 320, "\(text)")
      #expect(beginsWell(text), "\(text)")
    }
    for cause in explanation.causes {
      #expect(!cause.hasSuffix("."), "\(cause)")
      #expect(sentences(cause) == 1, "\(cause)")
      #expect(beginsWell(cause), "\(cause)")
    }
  }

  @Test(arguments: ExplanationCatalog.all) func hasOneLineWithoutFiller(_ explanation: Explanation) {
    let texts = [explanation.meaning, explanation.advice] + explanation.causes + explanation.sources
    for text in texts {
      #expect(!text.contains("\n") && !text.contains("  "), "\(text)")
      for word in ["please", "simply", "unfortunately", "failed to"] {
        #expect(!text.lowercased().contains(word), "\(text)")
      }
    }
  }

  /// Apple documents what its headers name and what three technotes show, nothing more.
  @Test func claimsNoDocumentationForPrivateErrors() {
    let documented = ExplanationCatalog.all.filter {
      $0.name == Explanation.unnamed && $0.certainty == .documented
    }
    #expect(documented.map(\.code) == [134_406, 134_410, 134_417])
    for explanation in documented {
      #expect(explanation.sources.contains { $0.contains("developer.apple.com") }, "\(explanation.subject)")
    }
    for explanation in ExplanationCatalog.all where explanation.sources.contains(ExplanationSource.none) {
      #expect(explanation.certainty == .inferred, "\(explanation.subject)")
    }
  }

  private func sentences(_ text: String) -> Int { text.split(separator: ". ").count }

  /// With a capital letter, a digit, a command, or Apple's own spelling.
  private func beginsWell(_ text: String) -> Bool {
    guard let first = text.first else { return false }
    // Commands are quoted as in all other texts: these had backticks, which a terminal shows.
    return first.isUppercase || first.isNumber || text.hasPrefix("'storescope ") || text.hasPrefix("iCloud")
  }
}

extension Explanation: CustomTestStringConvertible {
  package var testDescription: String { subject }
}
