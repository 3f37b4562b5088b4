import Base
import Explanations
import Lens

/// A page of help that isn't one command's: `help sql` in the shell, `storescope help sql` outside.
///
/// Its file begins with `Topic`, `Also` (other words for it, with commas) and `About` (one line, lower-case, without a full
/// stop); after an empty line comes the text.
package struct HelpTopic: Sendable {
  package let name: String
  package let synonyms: [String]
  package let summary: String
  private let page: String

  private init(_ file: [UInt8]) {
    let text = String(decoding: file, as: UTF8.self)
    let headerEnd = text.firstRange(of: "\n\n") ?? text.endIndex..<text.endIndex
    let header = KeyedLines(String(text[..<headerEnd.lowerBound]))
    name = header["Topic"] ?? ""
    synonyms = header.list("Also")
    summary = header["About"] ?? ""
    page = String(text[headerEnd.upperBound...])
  }

  package func text(width: Int) -> String {
    let filled = Template(page).filled(["settings": Defaults.names.joined(separator: ", ")])
    return Template(Help.flowed(filled, width: width)).filled(Self.tables(name, width))
  }

  /// What a page lists.
  private static func tables(_ name: String, _ width: Int) -> [String: String] {
    func columns(_ entries: [(String, String)]) -> String {
      String(Help.columns(entries, indent: 2, width: width).dropLast())
    }
    switch name {
    case "commands":
      let groups = CommandTable.groups.map { ($0.title, $0.commands.map { ($0.name, $0.summary) }) }
      let topics = [("Help with more", all.dropFirst().map { ($0.name, $0.summary) })]
      return ["commands": String(Help.groups(groups + topics, width: width).dropLast(2))]
    case "terms":
      let terms = Terms.essential.flatMap { word in ExplanationCatalog.all.filter { $0.subject == word } }
      return ["terms": columns(terms.map { ($0.subject, $0.summary) })]
    case "sql": return ["functions": columns(SQLFunction.all.map { ($0.usage, $0.meaning) })]
    case "views":
      return ["views": columns(MirrorViews.documented.map { ($0.name, "one row per \($0.rows)") })]
    case "options": return ["options": Help.list(CommonOptions.global.map { ($0.usage, $0.help) }, width)]
    default: return [:]
    }
  }

  package static func named(_ word: String) -> HelpTopic? {
    let word = word.lowercased()
    return all.first { $0.name == word || $0.synonyms.contains(word) }
  }

  package static let all = [
    PackageResources.commands_txt, PackageResources.places_txt, PackageResources.terms_txt,
    PackageResources.sql_txt, PackageResources.predicates_txt, PackageResources.views_txt,
    PackageResources.dates_txt, PackageResources.numbers_txt, PackageResources.pipes_txt,
    PackageResources.stdin_txt, PackageResources.operations_txt, PackageResources.options_txt,
  ].map(HelpTopic.init)
}
