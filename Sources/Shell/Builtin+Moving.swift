import Commands
import Rendering
import Values

extension Builtin {
  static let help = Builtin(
    "help", "?", usage: "[WORD]", takes: .command, summary: "this list, or all about one word of it"
  ) {
    shell, words, _ in
    try check(words, atMost: 1, "help")
    guard let word = words.first else { return try shell.print(ShellHelp.overview) }
    if let command = CommandTable.command(named: word) { return try shell.print(Help.text(for: command)) }
    if let builtin = Builtin.named(word) { return try shell.print(ShellHelp.text(for: builtin)) }
    // An error code or a term.
    try shell.run([Command.explain.name, word])
  }

  static let back = Builtin("back", summary: "shows the object before this one") { shell, words, _ in
    try check(words, atMost: 0, "back")
    try shell.goBack()
  }

  static let read = Builtin("read", usage: "FILE", takes: .file, summary: "runs the commands in a file") {
    shell, words, _ in
    try check(words, atMost: 1, "read")
    guard let path = words.first else { throw UsageError.conflict("'read' needs a file.") }
    try shell.run(file: path)
  }

  static let typed = Builtin("typed", ".history", summary: "what was typed, oldest first") {
    shell, words, _ in
    try check(words, atMost: 0, "typed")
    try shell.print(shell.typed.map { TerminalText.escaped($0) + "\n" }.joined())
  }

  static let quit = Builtin("quit", "exit", summary: "leaves the shell, as Ctrl-D does") { shell, words, _ in
    try check(words, atMost: 0, "quit")
    shell.isOver = true
  }

  static let watch = Builtin(
    "watch", usage: "COMMAND", takesCommand: true, options: WatchArguments.options,
    summary: "runs it again and again, and prints what is new and what is gone"
  ) { shell, _, text in
    try Watcher(WatchArguments(text)).run(in: shell)
  }
}
