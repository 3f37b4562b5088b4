import Commands
import Diagnostics
import Foundation
import Operations
import Testing

/// People paste what a text advises. These hold the commands that any text quotes against the table of commands, and
/// what operations say they cure against the rules.
struct AdviceTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Every `storescope …` in quotes, in the texts of the sources and in the headers of the queries.
  static let quoted: [String] = {
    var commands: Set<String> = []
    for folder in ["Sources", "Queries"] {
      let path = root.appending(path: folder).path(percentEncoded: false)
      for case let name as String in FileManager.default.enumerator(atPath: path) ?? .init()
      where name.hasSuffix(".swift") || name.hasSuffix(".sql") {
        guard let source = try? String(contentsOfFile: "\(path)/\(name)", encoding: .utf8) else { continue }
        let text =
          source.split(separator: "\n")
          .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.hasPrefix("//") }
          // A text goes on in the next line, in Swift behind a backslash, in a query's header behind two hyphens.
          .map {
            $0.hasSuffix("\\")
              ? String($0.dropLast()) : $0.hasPrefix("-- ") ? "\($0.dropFirst(3)) " : $0 + "\n"
          }
          .joined()
        for match in text.matches(of: /['`]storescope ([^'`\n]+)['`]/) { commands.insert(String(match.1)) }
      }
    }
    return commands.sorted()
  }()

  @Test func commandsAreFound() { #expect(Self.quoted.count > 60) }

  @Test(arguments: quoted) func quotedCommandExists(_ quoted: String) throws {
    // The shell's hints put the whole command together.
    guard !quoted.hasPrefix("\\(") else { return }
    // What a text fills in stands for one word.
    let words = quoted.replacing(/\\\([^()]*\)/, with: "X").split(separator: " ").map(String.init)
    let name = try #require(words.first)
    // `storescope STORE`, `storescope COMMAND --help`, `storescope --help`, and names that the text fills in.
    guard name.first?.isLowercase == true else {
      #expect(["STORE", "COMMAND", "X", "--help"].contains(name))
      return
    }
    if name == "help" {
      let subject = try #require(words.dropFirst().first)
      #expect(HelpTopic.named(subject) != nil || CommandTable.command(named: subject) != nil)
      return
    }
    let command = try #require(CommandTable.command(named: name))
    for alternative in alternatives(Array(words.dropFirst())) {
      let parsed = try ArgumentParser.parse(alternative, options: command.allOptions, command: name)
      // The explanations leave the store out.
      let arguments = parsed.positionals.filter { command.store == .none || !["STORE", "X"].contains($0) }
      if !command.arguments.contains(where: \.isRepeatable) {
        #expect(arguments.count <= command.arguments.count)
      }
      for (word, argument) in zip(arguments, command.arguments) where !argument.choices.isEmpty {
        #expect(argument.choices.contains(word))
      }
    }
  }

  /// `--cloud keep|delete` stands for two commands.
  private func alternatives(_ words: [String]) -> [[String]] {
    words.reduce([[]]) { lists, word in
      word.split(separator: "|").flatMap { choice in lists.map { $0 + [String(choice)] } }
    }
  }

  @Test(
    arguments: OperationRegistry.all.flatMap { operation in operation.cures.map { [operation.name, $0] } })
  func whatIsCuredIsARule(_ pair: [String]) {
    #expect(RuleRegistry.rule(pair[1]) != nil, "\(pair[0]) cures \(pair[1]), which is no rule")
  }
}
