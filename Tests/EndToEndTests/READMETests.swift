import Forge
import Foundation
import TestSupport
import Testing

/// The README shows what the program prints: each ```` ```console ```` block is a session in a folder with the demo store.
struct READMETests {
  struct Example: Sendable, CustomTestStringConvertible {
    var command: String
    var output: String
    var testDescription: String { command }
  }

  static let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
  private static let file = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(
      path: "README.md")

  static let examples: [Example] = {
    var examples: [Example] = []
    var isConsole = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isConsole = line == "```console"
      } else if isConsole, line.hasPrefix("$ ") {
        examples.append(Example(command: String(line.dropFirst(2)), output: ""))
      } else if isConsole, !examples.isEmpty {
        examples[examples.count - 1].output += line + "\n"
      }
    }
    return examples
  }()

  @Test func hasFiveExamples() {
    #expect(Self.examples.count >= 5)
    #expect(Self.examples.allSatisfy { $0.command.hasPrefix("storescope ") && !$0.output.isEmpty })
    for example in Self.examples {
      #expect(example.command.count <= 120)
      // Sentences aren't wrapped.
      let lines = example.output.split(separator: "\n").filter { !$0.hasSuffix(".") }
      #expect(lines.allSatisfy { $0.count <= 110 }, "\(example.command)")
    }
  }

  @Test(arguments: examples) func printsWhatIsShown(example: Example) throws {
    let folder = try TemporaryFolder()
    _ = try DemoStore.copy(in: folder.path)
    // The words are split as the shell splits them; its other features stay out of the README.
    let words = try Tool.run(
      "/bin/sh", ["-c", "for word in \(example.command); do printf '%s\\0' \"$word\"; done"])
    let arguments = words.output.split(separator: "\0").dropFirst().map(String.init)
    // Short dates leave out the year that it is.
    let result = try Tool.run(arguments, environment: ["SOURCE_DATE_EPOCH": "1795000000"], in: folder.path)
    #expect(result.status == 0)
    #expect(
      result.errors + result.output == example.output,
      "the README should show:\n\(result.errors)\(result.output)")
  }
}
