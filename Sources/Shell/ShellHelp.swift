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

  static func text(for builtin: Builtin, width: Int = Help.narrowest) -> String {
    let summary = builtin.summary.prefix(1).uppercased() + builtin.summary.dropFirst() + "."
    let others = builtin.names.dropFirst()
    let options = builtin.options.map { ($0.usage, $0.help) }
    return Help.flowed(String(summary), width: width) + "\n\nUsage:\n  \(builtin.synopsis)\n"
      + (options.isEmpty ? "" : "\nOptions:\n\(Help.columns(options, indent: 2, width: width))")
      + (others.isEmpty ? "" : "\nThe same as: \(others.joined(separator: ", "))\n")
  }
}
