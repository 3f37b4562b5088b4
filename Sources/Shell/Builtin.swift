import Base
import Commands
import Rendering

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

  /// - Parameter checksWords: whether more words than its usage has are refused.
  init(
    _ names: String..., usage: String = "", takes kind: ValueKind? = nil, choices: [String] = [],
    takesCommand: Bool = false, checksWords: Bool = true, options: [OptionDefinition] = [],
    prints: Bool = true,
    summary: String, run: @escaping @Sendable (StoreShell, _ words: [String], _ text: String) throws -> Void
  ) {
    self.names = names
    self.usage = usage
    self.takesCommand = takesCommand
    self.options = options
    self.prints = prints
    if let kind { arguments = [.init(usage, kind: kind, choices: choices, isOptional: true, help: summary)] }
    self.summary = summary
    self.run = { [name = names.first ?? ""] shell, words, text in
      if checksWords { try Self.check(words, atMost: usage.isEmpty ? 0 : 1, name) }
      try run(shell, words, text)
    }
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

extension Builtin {
  static let help = Builtin(
    "help", "?", usage: "[WORD]", takes: .command, checksWords: false,
    summary: "show this list, or help for a command or topic"
  ) {
    shell, _, text in
    // As typed: a backslash is a part of psql's words. What follows a command's name is about the same command.
    try shell.printHelp(
      text.split(whereSeparator: \.isWhitespace).first.map { $0.filter { !"'\"".contains($0) } })
  }

  static let back = Builtin("back", summary: "return to the list or object before this one") { shell, _, _ in
    try shell.goBack()
  }

  static let next = Builtin("next", summary: "show the next object of the list") { shell, _, _ in
    try shell.go(by: 1)
  }

  static let previous = Builtin("previous", summary: "show the previous object of the list") { shell, _, _ in
    try shell.go(by: -1)
  }

  static let edit = Builtin(
    "edit", prints: false, summary: "edit the last line or statement in $VISUAL or $EDITOR, and run it"
  ) { shell, _, _ in try shell.editLast() }

  static let clear = Builtin("clear", prints: false, summary: "clear the screen") { shell, _, _ in
    shell.clearScreen()
  }

  static let version = Builtin("version", summary: "print storescope's version") { shell, _, _ in
    try shell.print("storescope \(Application.version)\n")
  }

  static let read = Builtin(
    "read", usage: "FILE", takes: .file, summary: "run the commands in a file; - is standard input"
  ) { shell, words, _ in
    guard let path = words.first else { throw UsageError.conflict("'read' needs a file.") }
    try shell.run(file: path)
  }

  static let typed = Builtin("typed", ".history", summary: "list typed commands, oldest first") {
    shell, _, _ in
    try shell.print(shell.typed.map { TerminalText.escaped($0) + "\n" }.joined())
  }

  static let quit = Builtin("quit", "exit", prints: false, summary: "leave the shell, as Ctrl-D does") {
    shell, _, _ in shell.isOver = true
  }

  static let watch = Builtin(
    "watch", usage: "COMMAND", takesCommand: true, checksWords: false, options: WatchArguments.options,
    summary: "rerun a command and print what was added or removed"
  ) { shell, _, text in
    guard text.trimmed.isEmpty || Double(text.trimmed) != nil, shell.isInteractive else {
      return try Watcher(WatchArguments(text)).run(in: shell)
    }
    // Alone, or with seconds, psql's runs the last statement again.
    let last = shell.typed.last { !$0.contains("watch") } ?? ""
    let line = last.trimmed.hasSuffix(";") ? String(last.trimmed.dropLast()) : last
    let again = try WatchArguments(line, every: text)
    shell.note("(watch \(line) --every \(again.interval.filter { $0 != " " }))")
    try Watcher(again).run(in: shell)
  }
}
