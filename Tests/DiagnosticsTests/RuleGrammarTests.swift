import Base
import Diagnostics
import Testing

/// Messages are read with whatever numbers a store has: "the first 1 times" was printed once.
struct RuleGrammarTests {
  static let rules = RuleRegistry.all.map(\.id)

  private func message(_ rule: String, _ count: Int) throws -> String {
    let header = try #require(RuleRegistry.rule(rule)).header
    let names = header.message.matches(of: /\{(\w+)/).map { String($0.1) }
    // What isn't a number in any finding.
    let members = Set(names).map { name -> DataValue.Member in
      let isNumber = header.message.contains("{\(name):") || Self.numbers.contains(name)
      let text = ["how", "more"].contains(name) ? "" : "x"
      return .init(name, isNumber ? .integer(Int64(count)) : .text(text))
    }
    return MessageTemplate.text(header.message, count: count, members)
  }

  /// Members that are numbers and whose messages count something with them.
  private static let numbers: Set = ["rows", "days", "updates", "window", "changes"]

  @Test(arguments: rules) func oneIsSingular(_ rule: String) throws {
    let text = try message(rule, 1)
    for match in text.matches(of: /\b1 (\w+)/) {
      let word = String(match.1)
      #expect(!word.hasSuffix("s") || ["has", "is", "was"].contains(word), "\(text)")
    }
    for wrong in ["1 are", "1 were", "1 have"] { #expect(!text.contains(wrong), "\(text)") }
    #expect(!text.contains("{") && !text.contains("|"), "\(text)")
  }

  @Test(arguments: rules, [0, 2]) func othersArePlural(_ rule: String, _ count: Int) throws {
    let text = try message(rule, count)
    let adjectives = [
      "mirrored", "archive", "control", "exported", "imported", "deleted", "unused", "metadata", "entity",
    ]
    for match in text.matches(of: /\b[02] ([a-z]+) ?([a-z]*)/) {
      let words = [String(match.1), String(match.2)]
      let noun = adjectives.contains(words[0]) ? words[1] : words[0]
      #expect(noun.hasSuffix("s") || ["to", "of", "B", "many"].contains(noun), "\(text)")
    }
    #expect(!text.contains("{") && !text.contains("|"), "\(text)")
  }

  @Test(arguments: [(0, "0 B"), (999, "999 B"), (1000, "1 kB"), (1_549_000, "1.5 MB"), (9_960_000, "10 MB")])
  func sizesAreShort(_ bytes: Int64, _ text: String) {
    #expect(MessageTemplate.text("{bytes:size}", count: 1, [.init("bytes", .integer(bytes))]) == text)
  }

  /// Advice for a mirrored store was given for one that isn't.
  @Test func adviceFitsTheStore() throws {
    let header = try #require(RuleRegistry.rule("history-bloat")).header
    #expect(!header.remedy.contains("prune-history"))
    #expect(header.wholeRemedy.contains("In a mirrored store: 'storescope repair STORE prune-history'"))
  }
}
