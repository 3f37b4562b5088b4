import Base
import Commands

/// Help in the shell, from the command table and the builtins.
enum ShellHelp {
  static func overview(width: Int = Help.narrowest) -> String {
    let commands = CommandTable.groups.map { group in
      (
        group.title,
        group.commands.filter { $0.name != Command.shell.name }.map { ($0.name, $0.summary) }
      )
    }
    let builtins = Builtin.groups.map { group in
      (group.title, group.builtins.map { ($0.name, $0.summary) })
    }
    let topics = [("More ('help sql')", HelpTopic.all.map { ($0.name, $0.summary) })]
    return Help.flowed(
      """
      Leave out STORE: commands use the open store. 'help rows' explains one of them.


      """, width: width) + Help.groups(commands + builtins + topics, width: width)
      + Help.flowed(
        """
        Type SQL directly and end it with ';', over as many lines as you like. An object's URI, Person/p12 or a \
        record name shows that object, and an entity's name lists its objects. ';' separates commands. Objects on the screen are numbered: 'show 3' opens the third, 'back' returns to \
        the list. '| PROGRAM' and '> FILE' after a command send its result elsewhere. Ctrl-C stops a command, Ctrl-D leaves, \
        Tab completes.

        """, width: width)
  }

  /// What people ask help for, and under which word it is.
  static let others: [String: String] = {
    let words: [(String, String)] = [
      ("format", "json csv ndjson jsonl markdown md table"),
      ("sql", "sqlite psql mysql join joins group order union like statement statements"),
      ("rows", "filter filters sort columns"),
      ("pipes", "> >> grep less head"),
      ("edit", "readline history-keys"),
    ]
    return Dictionary(
      firstOf: words.flatMap { name, all in all.split(separator: " ").map { (String($0), name) } })
  }()

  /// The commands that have an option, and what it does there; nil if none has it.
  static func text(forOption option: String, width: Int = Help.narrowest) -> String? {
    let owners = CommandTable.all.flatMap { command in
      command.options.filter { "--" + $0.name == option }.map { (command.name, $0.help) }
    }
    let global = CommonOptions.global.filter { "--" + $0.name == option }.map { ("every command", $0.help) }
    let all = global.isEmpty ? owners : global
    return all.isEmpty ? nil : "\(option)\n" + Help.columns(all, indent: 2, width: width)
  }

  static func text(for builtin: Builtin, width: Int = Help.narrowest) -> String {
    let summary = builtin.summary.prefix(1).uppercased() + builtin.summary.dropFirst() + "."
    let others = builtin.names.dropFirst()
    let options = builtin.options.map { ($0.usage, $0.help) }
    return Help.flowed(String(summary), width: width) + "\n\nUsage:\n  \(builtin.synopsis)\n"
      + (options.isEmpty ? "" : "\nOptions:\n\(Help.columns(options, indent: 2, width: width))")
      + (others.isEmpty ? "" : "\nThe same as: \(others.joined(separator: ", "))\n")
  }
}
