import Base

/// What was wrong with the words typed, as data; `description` is the one place that puts it into a sentence.
/// Ends the program with exit code 64.
package enum UsageError: Error, Equatable, CustomStringConvertible {
  case unknownCommand(String, known: [String])
  /// A word behind a store that has no command before it.
  case unexpectedWord(String, store: String, known: [String])
  /// A word that there is no help for.
  case unknownTopic(String, known: [String])
  /// An option where a command should be.
  case unknownProgramOption(String, known: [String])
  /// `hint` is a sentence that helps more than the nearest known one.
  case unknownOption(String, command: String, known: [String], hint: String? = nil)
  case missingValue(option: OptionDefinition)
  case unexpectedValue(option: String)
  case badValue(String, option: OptionDefinition)
  /// A setting of the shell or of the configuration file.
  case badSetting(String, String, [String])
  case notANumber(String, option: String)
  /// `known` are the words that could stand there, if these can be listed.
  case missingArgument(String, command: String, known: [String] = [])
  /// `meant` is the option that would take the word.
  case surplusArgument(String, command: String, meant: String? = nil)
  /// `hint` is a sentence that helps more than the nearest choice.
  case badArgument(String, command: String, choices: [String], hint: String? = nil)
  /// With what stands below the sentence, a line each.
  case conflict(String, list: [String] = [])

  package var description: String {
    switch self {
    case .unknownCommand(let word, let known):
      "There is no command '\(word)', and no such file.\(Suggestion.sentence(for: word, in: known)) See 'storescope --help'."
    case .unexpectedWord(let word, let store, let known):
      "Unexpected argument '\(word)': the command comes first, then the store.\(Suggestion.sentence(for: word, in: known)) 'storescope search \(ShellQuotes.word(store)) \(ShellQuotes.readable(word))' looks for it in all values, 'storescope --help' lists the commands."
    case .unknownTopic(let word, let known):
      "There is no help for '\(word)'.\(Suggestion.sentence(for: word, in: known)) See 'storescope --help'."
    case .unknownProgramOption(let word, let known):
      "There is no option '\(word)' before a command.\(Suggestion.sentence(for: word, in: known)) Options follow the command. See 'storescope --help'."
    case .unknownOption(let word, let command, let known, let hint):
      "'\(command)' has no option '\(word)'.\(hint ?? Suggestion.sentence(for: word, in: known)) See 'storescope \(command) --help'."
    case .missingValue(let option):
      "'--\(option.name)' needs a value: --\(option.name) \(option.value ?? "VALUE")."
    case .unexpectedValue(let option):
      "'--\(option)' takes no value."
    case .badValue(let word, let option):
      "'--\(option.name)' takes \(Self.list(option.choices)), not '\(word)'.\(Words.value(word, among: option.choices))"
    case .badSetting(let word, let name, let choices):
      "'\(name)' takes \(Self.list(choices)), not '\(word)'.\(Words.value(word, among: choices))"
    case .notANumber(let word, let option):
      "'--\(option)' takes a whole number from 0 up, not '\(word)'."
    case .missingArgument(let name, let command, let known):
      "'\(command)' needs \(name)\(Self.choice(known)). See 'storescope \(command) --help'."
    case .surplusArgument(let word, let command, let meant):
      "Unexpected argument '\(word)'.\(meant.map(Suggestion.question) ?? "") See 'storescope \(command) --help'."
    case .badArgument(let word, let command, let choices, let hint):
      "'\(command)' takes \(Self.list(choices)), not '\(word)'.\(hint.map { " \($0)" } ?? Suggestion.sentence(for: word, in: choices))"
    case .conflict(let sentence, _): sentence
    }
  }

  /// What stands below the sentence.
  var list: [String] { if case .conflict(_, let list) = self { list } else { [] } }

  private static func choice(_ words: [String]) -> String {
    let most = 30
    guard !words.isEmpty else { return "" }
    let rest = words.count > most ? " and \(words.count - most) more" : ""
    return ", one of " + words.prefix(most).joined(separator: ", ") + rest
  }

  private static func list(_ choices: [String]) -> String {
    choices.dropLast().joined(separator: ", ") + (choices.count > 1 ? " or " : "") + (choices.last ?? "")
  }
}
