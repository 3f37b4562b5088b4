import Diagnostics
import Explanations
import Lens
import QueryCatalog
import Testing

@testable import Commands
@testable import Shell

/// A page of help as people read it on a narrow terminal, or what other pages are made of.
struct HelpPage: CustomTestStringConvertible {
  let name: String
  let text: String
  /// Whether its lines are as they stand on the terminal.
  var isPrinted = true
  /// Whether it describes many things, some of which share a description.
  var isReference = false

  var testDescription: String { name }

  static let all = printed + composed

  static let printed: [HelpPage] =
    [HelpPage(name: "help", text: Help.overview()), HelpPage(name: "shell help", text: ShellHelp.overview())]
    + CommandTable.all.map { HelpPage(name: "help \($0.name)", text: Help.text(for: $0)) }
    + HelpTopic.all.map { HelpPage(name: "help \($0.name) (topic)", text: $0.text(width: Help.narrowest)) }
    + Builtin.groups.flatMap(\.builtins).map {
      HelpPage(name: "shell help \($0.name)", text: ShellHelp.text(for: $0))
    }

  /// Paragraphs that are wrapped to any width.
  private static let composed: [HelpPage] =
    RuleRegistry.all.map { rule in
      let header = rule.header
      let texts =
        [header.title, header.message] + header.paragraphs.map(\.text) + header.thresholds.map(\.meaning)
      return HelpPage(name: "rules \(rule.id)", text: texts.joined(separator: "\n\n"), isPrinted: false)
    }
    + ExplanationCatalog.all.map {
      let texts =
        [$0.meaning, $0.advice] + [$0.resolvesItself.words].compactMap(\.self) + $0.causes + $0.sources
      return HelpPage(name: "explain \($0.subject)", text: texts.joined(separator: "\n\n"), isPrinted: false)
    }
    + [
      HelpPage(name: "man", text: manual, isPrinted: false, isReference: true),
      HelpPage(
        name: "functions", text: SQLFunction.all.map(\.meaning).joined(separator: "\n\n"), isPrinted: false),
      HelpPage(
        name: "views",
        text: MirrorViews.documented.flatMap { [$0.rows] + $0.columns.map(\.meaning) }.joined(
          separator: "\n\n"),
        isPrinted: false, isReference: true),
      HelpPage(
        name: "query",
        text: QueryCatalog.all.flatMap { [$0.title, $0.shows] + $0.parameters.map(\.meaning) }
          .joined(separator: "\n\n"), isPrinted: false),
    ]

  /// The page without what only the typesetter reads.
  private static var manual: String {
    ManualPage(commands: CommandTable.all).text.split(separator: "\n").map { line in
      line.hasPrefix(".") ? "\n\(line.drop { $0 != " " })\n" : String(line)
    }.joined(separator: "\n").replacing("\\-", with: "-").replacing("\\(aq", with: "'")
  }

  /// Lines that don't fit a narrow terminal.
  var longLines: [String] {
    isPrinted ? text.split(separator: "\n").map(String.init).filter { $0.count > Help.narrowest } : []
  }

  /// Sentences, and the meanings in a list, that the page has twice.
  var repetitions: [String] {
    if isReference { return [] }
    var seen: Set<String> = []
    return sentences.filter { $0.split(separator: " ").count > 4 && !seen.insert($0).inserted }
  }

  private var sentences: [String] {
    // A list's names are at a line's beginning, its meanings behind two blanks or more; each is a text of its own.
    var texts = [""]
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let columns = line.drop { $0 == " " }.split(separator: "  ")
      if columns.count != 1 || line.hasPrefix("  ") && !line.hasPrefix("     ") { texts.append("") }
      texts[texts.count - 1] += " " + (columns.last ?? "")
    }
    return texts.flatMap { $0.split(separator: ". ") }.map { sentence in
      sentence.split(separator: " ").joined(separator: " ").trimmingSuffix(while: { $0 == "." })
    }
  }
}

extension String {
  fileprivate func trimmingSuffix(while isEnding: (Character) -> Bool) -> String {
    var text = Substring(self)
    while let last = text.last, isEnding(last) { text.removeLast() }
    return String(text)
  }
}
