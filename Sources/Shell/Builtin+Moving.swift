import Commands
import Rendering
import Values

extension Builtin {
  static let help = Builtin(
    "help", "?", usage: "[WORD]", takes: .command, summary: "show this list, or help for a command or topic"
  ) {
    shell, _, text in
    // As typed: a backslash is a part of psql's words. What follows a command's name is about the same command.
    try shell.printHelp(
      text.split(whereSeparator: \.isWhitespace).first.map { $0.filter { !"'\"".contains($0) } })
  }

  static let back = Builtin("back", summary: "return to the list or object before this one") {
    shell, words, _ in
    try check(words, atMost: 0, "back")
    try shell.goBack()
  }

  static let next = Builtin("next", summary: "show the next object of the list") { shell, words, _ in
    try check(words, atMost: 0, "next")
    try shell.go(by: 1)
  }

  static let previous = Builtin("previous", summary: "show the previous object of the list") {
    shell, words, _ in
    try check(words, atMost: 0, "previous")
    try shell.go(by: -1)
  }

  static let edit = Builtin(
    "edit", prints: false, summary: "edit the last line or statement in $VISUAL or $EDITOR, and run it"
  ) { shell, words, _ in
    try check(words, atMost: 0, "edit")
    try shell.editLast()
  }

  static let clear = Builtin("clear", prints: false, summary: "clear the screen") { shell, words, _ in
    try check(words, atMost: 0, "clear")
    shell.clearScreen()
  }

  static let version = Builtin("version", summary: "print storescope's version") { shell, words, _ in
    try check(words, atMost: 0, "version")
    try shell.print("storescope \(Application.version)\n")
  }

  static let read = Builtin(
    "read", usage: "FILE", takes: .file, summary: "run the commands in a file; - is standard input"
  ) {
    shell, words, _ in
    try check(words, atMost: 1, "read")
    guard let path = words.first else { throw UsageError.conflict("'read' needs a file.") }
    try shell.run(file: path)
  }

  static let typed = Builtin("typed", ".history", summary: "list typed commands, oldest first") {
    shell, words, _ in
    try check(words, atMost: 0, "typed")
    try shell.print(shell.typed.map { TerminalText.escaped($0) + "\n" }.joined())
  }

  static let quit = Builtin("quit", "exit", prints: false, summary: "leave the shell, as Ctrl-D does") {
    shell, words, _ in
    try check(words, atMost: 0, "quit")
    shell.isOver = true
  }

  static let watch = Builtin(
    "watch", usage: "COMMAND", takesCommand: true, options: WatchArguments.options,
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
