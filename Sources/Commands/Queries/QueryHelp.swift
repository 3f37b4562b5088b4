import QueryCatalog
import Rendering
import Values

/// The help of a saved query: what it shows, and its parameters.
enum QueryHelp {
  /// Nil for a word that is none.
  static func text(of name: String?, width: Int) -> String? {
    guard let query = try? SavedQueries.all().first(where: { $0.name == name }) else { return nil }
    let name = ShellQuotes.word(query.name)
    let usage = query.parameters.map { parameter in
      let option = "--param \(parameter.name)=VALUE"
      return parameter.defaultValue == nil ? " " + option : " [\(option)]"
    }
    var sections = [
      Help.flowed("\(query.title.isEmpty ? query.name : query.title).", width: width),
      "Usage:\n  storescope query STORE \(name)\(usage.joined())",
    ]
    if !query.parameters.isEmpty {
      let entries = query.parameters.map { parameter in
        let value =
          parameter.defaultValue.map { $0 == "%" ? "; default: all" : "; default \($0)" } ?? "; required"
        return ("--param \(parameter.name)=\(parameter.typeName.uppercased())", parameter.meaning + value)
      }
      sections.append("Parameters:\n" + Help.list(entries, width))
    }
    if !query.shows.isEmpty { sections.append(Help.flowed("Shows \(query.shows)", width: width)) }
    sections.append(
      Help.flowed(
        "'storescope query STORE \(name) --show' prints its SQL, 'storescope query --help' is about SQL in general.",
        width: width))
    // A file of the user's own may hold anything.
    let lines = sections.joined(separator: "\n\n").split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map { TerminalText.escaped(String($0)) }.joined(separator: "\n") + "\n"
  }
}
