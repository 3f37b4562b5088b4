import Forge
import Foundation
import TestSupport
import Testing

/// `--chart` on the demo store: what it draws, and that it changes nothing else.
struct ChartCommandTests {
  static let commands = [
    ["history"], ["history", "--by", "entity"], ["history", "--by", "day"], ["events"], ["pending"],
  ]

  private func run(_ words: [String], _ path: String, _ more: String...) throws -> Tool.Result {
    let result = try Tool.run(
      [words[0], path] + words.dropFirst() + more, environment: ["LC_ALL": "C.UTF-8"])
    result.expectDone("\(words) \(more)")
    return result
  }

  @Test(arguments: commands, ["json", "ndjson", "csv"])
  func machinesSeeNoChart(_ words: [String], format: String) throws {
    let demo = try Demo()
    #expect(
      try run(words, demo.path, "--chart", "--format", format).output
        == run(words, demo.path, "--format", format).output)
  }

  @Test func historyCountsEveryChange() throws {
    let demo = try Demo()
    let text = try run(["history"], demo.path, "--chart").output
    for author in ["app", "import", "widget"] {
      let transactions = Set(demo.truth.transactions.filter { $0.author == author }.map(\.number))
      let count = demo.truth.changes.count { transactions.contains($0.transaction) }
      let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(author + " ") })
      #expect(line.hasSuffix(" \(count)"), "\(line)")
    }
    #expect(text.contains("Changes per day (UTC)") && text.contains("█"))
    let filtered = try run(["history", "--author", "widget"], demo.path, "--chart").output
    #expect(!filtered.contains("import"))
    let ascii = try Tool.run(["history", demo.path, "--chart"], environment: ["LC_ALL": "en_US.ISO-8859-1"])
      .output
    #expect(ascii.contains("#") && ascii.utf8.allSatisfy { $0 < 0x80 })
  }

  @Test func eventsAndPendingAreDrawn() throws {
    let demo = try Demo()
    let events = try run(["events"], demo.path, "--chart").output
    for word in ["setup", "import", "export", "✗", "succeeded"] { #expect(events.contains(word)) }
    let pending = try run(["pending"], demo.path, "--chart").output
    for word in ["By kind", "upload", "By age", "█"] { #expect(pending.contains(word)) }
    let markdown = try run(["pending"], demo.path, "--chart", "--format", "markdown").output
    #expect(markdown.contains("```\nBy kind\n"))
  }

  @Test(arguments: [80, 200]) func chartsFitATerminal(_ columns: Int) throws {
    let demo = try Demo()
    for words in Self.commands {
      let text = try PseudoTerminal.run(
        [words[0], demo.path] + words.dropFirst() + ["--chart", "--no-color"], columns: UInt16(columns))
      for line in text.split(separator: "\n") where line.contains("█") || line.contains("·") {
        #expect(line.count <= columns, "\(line)")
      }
    }
  }
}
