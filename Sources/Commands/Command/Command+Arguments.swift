import Rendering
import Values

extension Command {
  /// The words behind it, sorted; of an option that it doesn't have, with what helps.
  func parse(_ words: [String]) throws(UsageError) -> ParsedArguments {
    do { return try ArgumentParser.parse(words, options: allOptions, command: name) } catch {
      guard case .unknownOption(let word, let name, let known, _) = error else { throw error }
      throw .unknownOption(word, command: name, known: known, hint: hint(for: word))
    }
  }

  /// What helps with an option that it doesn't have; nil to leave it to the nearest of its own.
  private func hint(for word: String) -> String? {
    let name = String(word.drop { $0 == "-" })
    let rows = Words.options.filter { Words.split($0.words).contains(name) }.map { Words.split($0.option) }
    let own = allOptions
    func fits(_ row: [String]) -> Bool {
      own.contains { option in
        row[0] == "--" + option.name
          && (row.count == 1 || option.choices.isEmpty || option.choices.contains(row[1]))
      }
    }
    if let row = rows.first(where: fits) { return Suggestion.question(row.joined(separator: " ")) }
    guard Suggestion.likeliest(for: word, in: own.map { "--" + $0.name }) == nil else { return nil }
    for option in [name] + rows.map({ String($0[0].dropFirst(2)) }) {
      let owners = CommandTable.all.filter { $0.options.contains { $0.name == option } }.map {
        "'\($0.name)'"
      }
      guard (1...5).contains(owners.count) else { continue }
      return " \(Sentence.listed(owners, atMost: 5)) \(owners.count > 1 ? "have" : "has") '--\(option)'."
    }
    return nil
  }
}
