import Commands
import Values

/// A word of the shell itself. Help and completion follow from the list.
struct Builtin: Sendable {
  /// The first one is the name, the others mean the same.
  var names: [String]
  /// What may follow, as help shows it.
  var usage: String
  /// What may follow, as completion offers it.
  var arguments: [Command.Argument] = []
  var options: [OptionDefinition]
  /// Whether a command follows.
  var takesCommand = false
  /// Whether it prints something that could go to a file or a program.
  var prints = true
  /// One line, lower-case, without a full stop.
  var summary: String
  /// Gets the words after the name, and the same as typed.
  var run: @Sendable (StoreShell, _ words: [String], _ text: String) throws -> Void

  init(
    _ names: String..., usage: String = "", takes kind: ValueKind? = nil, choices: [String] = [],
    takesCommand: Bool = false, options: [OptionDefinition] = [], prints: Bool = true, summary: String,
    run: @escaping @Sendable (StoreShell, _ words: [String], _ text: String) throws -> Void
  ) {
    self.names = names
    self.usage = usage
    self.takesCommand = takesCommand
    self.options = options
    self.prints = prints
    if let kind { arguments = [.init(usage, kind: kind, choices: choices, isOptional: true, help: summary)] }
    self.summary = summary
    self.run = run
  }

  var name: String { names.first ?? "" }

  static let groups: [(title: String, builtins: [Builtin])] = [
    ("Navigation", [.help, .back, .next, .previous, .watch, .open, .clear, .quit]),
    ("Results", [.format, .vertical, .limit, .timeout, .time, .color, .pager, .timing, .output, .once]),
    ("Lines", [.edit, .typed, .read, .settings, .model, .version]),
  ]

  static let all: [Builtin] = groups.flatMap(\.builtins)

  /// As help shows it: the name, and what may follow.
  var synopsis: String {
    ([name, usage].filter { !$0.isEmpty }
      + (options.count > 2 ? ["[OPTION]…"] : options.map { "[\($0.usage)]" })).joined(separator: " ")
  }

  static func named(_ name: String) -> Builtin? { all.first { $0.names.contains(name) } }

  /// The words sorted, of a builtin that takes these options.
  static func parse(
    _ words: [String], _ options: [OptionDefinition], _ name: String
  ) throws(UsageError) -> ParsedArguments {
    do { return try ArgumentParser.parse(words, options: options, command: name) } catch {
      guard case .unknownOption(let word, _, let known, _) = error else { throw error }
      throw .conflict(
        "'\(name)' has no option '\(word)'.\(Suggestion.sentence(for: word, in: known)) See 'help \(name)'.")
    }
  }

  /// Refuses more words than a builtin takes.
  static func check(_ words: [String], atMost count: Int, _ name: String) throws(UsageError) {
    guard words.count > count else { return }
    throw .conflict("Unexpected argument '\(words[count])'. See 'help \(name)'.")
  }
}
