import Commands
import Foundation
import TestSupport
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

/// From the README alone to an answer: its two commands, typed as they stand there, about an app in a simulator.
struct FirstAnswerTests {
  @Test func twoCommandsAnswer() throws {
    let text = try GuidePage("README.md").text
    let heading = try #require(text.range(of: "## Two commands\n"))
    let block = try #require(text[heading.upperBound...].firstMatch(of: /```sh\n(.*)\n(.*)\n```/))
    let (home, demo) = (TemporaryFolder("home"), try Demo())
    let data = home.path("Library/Developer/CoreSimulator/Devices/1F7A/data/Containers/Data/Application/2B90")
    try FindPlace.copy(demo.folder.path, to: data + "/Library/Application Support")
    try FindPlace.noteOwner("com.example.Journeys", in: data)

    let found = try Self.run(String(block.1), home)
    #expect(found.contains("com.example.Journeys") && found.contains("25 pending"), "\(found)")
    let path = String(try #require(found.firstMatch(of: /'.*Journeys\.store'/)).0)
    #expect(block.2.contains("'PATH OF A STORE'"))
    let summary = try Self.run(String(block.2.replacing("'PATH OF A STORE'", with: path)), home)
    #expect(summary.contains("Blocked: iCloud storage is full. 25 changes pending"), "\(summary)")
  }

  private static func run(_ command: String, _ home: TemporaryFolder) throws -> String {
    let words = try Tool.run(
      "/bin/sh", ["-c", "for word in \(command); do printf '%s\\0' \"$word\"; done"],
      environment: ["HOME": home.path])
    let result = try Tool.run(
      words.output.split(separator: "\0").dropFirst().map(String.init), environment: ["HOME": home.path]
    ).expectDone()
    return result.output
  }
}
