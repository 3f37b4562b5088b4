import Foundation
import Testing

@testable import Commands

/// People judge a tool by its sentences before they judge its code: texts are plain American English, without the
/// habits that `Habit.all` lists.
struct WordsTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static func bytes(_ path: String) throws -> [UInt8] {
    try Array(Data(contentsOf: root.appending(path: path)))
  }

  private static func files(_ folder: String, _ ending: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
      .filter { $0.hasSuffix(ending) }.sorted().map { "\(folder)/\($0)" }
  }

  /// Each line of a block of code is a text of its own, which two blanks end.
  private static func page(_ text: String) -> String {
    var isCode = false
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      if line.drop(while: { $0 == " " }).hasPrefix("```") { isCode.toggle() }
      return isCode ? line + "  " : line
    }.joined(separator: "\n")
  }

  /// Every literal and comment of the sources, what describes queries and the project, what was printed once, and help.
  private static func passages() throws -> [Passage] {
    var passages: [Passage] = []
    for file in try files("Sources", ".swift") { passages += SwiftTexts(file, try bytes(file)).passages }
    for file in try files("Queries", ".sql") {
      // Its header; what SQL itself says is no sentence.
      let header = try bytes(file).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        .prefix { $0.starts(with: "--".utf8) }.map { $0.dropFirst(2) }
      passages.append(Passage(file, bytes: header.joined(separator: [UInt8(ascii: "\n")])))
    }
    for file in try files("Sources", ".txt") {
      passages.append(Passage(file, bytes: try bytes(file)))
    }
    let pages = try ["Sources", "Tests", "Queries", ".github"].flatMap { try files($0, ".md") }
    for file in ["README.md"] + pages {
      passages.append(Passage(file, text: page(String(decoding: try bytes(file), as: UTF8.self))))
    }
    for file in try files("Tests/EndToEndTests/Snapshots", ".txt") {
      // Each line of a table is a text of its own.
      passages.append(
        Passage(file, text: String(decoding: try bytes(file), as: UTF8.self).replacing("\n", with: "\n\n")))
    }
    passages.append(Passage("report", bytes: try bytes("Tests/EndToEndTests/Snapshots/report.md")))
    return passages + HelpPage.all.map { Passage($0.name, text: $0.text) }
  }

  @Test func textsHaveNoneOfTheHabits() throws {
    let passages = try Self.passages()
    #expect(passages.count > 15_000)
    var finder = HabitFinder()
    var unused = Exception.all
    var wrong: [String] = []
    for finding in Set(passages.flatMap { finder.findings(in: $0) }) {
      unused.removeAll { $0.place == finding.place && $0.words == finding.words }
      if !Exception.all.contains(where: { $0.place == finding.place && $0.words == finding.words }) {
        wrong.append(finding.description)
      }
    }
    #expect(wrong.isEmpty, "\n\(wrong.sorted().joined(separator: "\n"))")
    #expect(
      unused.isEmpty,
      "no longer needed:\n\(unused.map { "\($0.place): \($0.words)" }.joined(separator: "\n"))")
  }

  @Test func helpFitsANarrowTerminal() {
    let found = HelpPage.all.flatMap { page in page.longLines.map { Exception(page.name, $0, "") } }
    let listed = Set(Exception.longLines.map { $0.place + ": " + $0.words })
    let lines = Set(found.map { $0.place + ": " + $0.words })
    #expect(lines.subtracting(listed).sorted() == [])
    #expect(listed.subtracting(lines).sorted() == [], "no longer needed")
  }

  @Test(arguments: HelpPage.all) func helpRepeatsNothing(_ page: HelpPage) {
    #expect(page.repetitions == [])
  }
}
