import Commands
import Foundation
import Testing

/// Commands and options that pages have in their text, or in blocks that no test can run, are those that there are.
struct GuideCommandTests {
  private static let pages =
    GuidePage.names + ["Sources/README.md", "Queries/README.md"]
    + [".github/CONTRIBUTING.md", ".github/SECURITY.md"]
    + ["failure", "question-unanswered", "wrong-answer"].map { ".github/ISSUE_TEMPLATE/\($0).md" }

  @Test(arguments: pages) func exist(_ name: String) throws {
    let text = try String(contentsOf: GuidePage.file(name), encoding: .utf8)
    for code in Self.codes(in: text) {
      if let problem = Self.problem(of: code) { Issue.record("\(name): \(code): \(problem)") }
    }
  }

  /// Without this, a mistake in the reading would pass everything.
  @Test(arguments: [
    ("Use `storescope rowz A.store`.", "no command rowz"),
    ("```sh\nx=1\nstorescope find . \\\n  --mirored # all\n```", "no option --mirored"),
    ("`pending --cloudkit`", "no option --cloudkit"), ("`--offest N`", "no option --offest"),
    (
      "`preflight --cloudkit`, `storescope STORE`, `swift build --product x`, `watch pending --every 5s`", nil
    ),
    ("```console\n$ storescope nonsense\n```", nil),
  ]) func wrongOnesAreFound(_ text: String, _ problem: String?) {
    #expect(Self.codes(in: text).lazy.compactMap(Self.problem).first == problem)
  }

  /// What stands between backquotes, and the commands in `sh` blocks.
  private static func codes(in text: String) -> [String] {
    var (codes, block) = ([String](), Substring?.none)
    for line in text.replacing("\\\n", with: "").split(separator: "\n") {
      if line.hasPrefix("```") {
        block = block == nil ? line.dropFirst(3) : nil
      } else if block == "sh" {
        codes.append(String(line.prefix(upTo: line.firstRange(of: " #")?.lowerBound ?? line.endIndex)))
      } else if block == nil {
        codes += line.matches(of: /`([^`]+)`/).map { String($0.1) }
      }
    }
    return codes
  }

  /// Of what another program is asked, nothing is known here.
  private static func problem(of code: String) -> String? {
    let part = code.split(separator: /[|;&>]/).first ?? ""
    var words = part.split(whereSeparator: \.isWhitespace)[...]
    let isWhole = words.first == "storescope"
    if isWhole { words.removeFirst() }
    var options = Set(CommandTable.all.flatMap(\.allOptions).map(\.name)).union(["version"])
    if let name = words.first, name.wholeMatch(of: /[a-z]+/) != nil, name != "help" {
      guard let command = CommandTable.command(named: String(name)) else {
        return isWhole ? "no command \(name)" : nil
      }
      options = Set(command.allOptions.map(\.name)).union(["help"])
    } else if !isWhole, words.first?.hasPrefix("--") != true {
      return nil
    }
    let given = words.compactMap { $0.wholeMatch(of: /--([a-z][a-z-]*)(=.*)?/)?.1 }
    return given.first { !options.contains(String($0)) }.map { "no option --\($0)" }
  }
}
