import Commands

/// Help in the shell, from the command table and the builtins.
enum ShellHelp {
  static var overview: String {
    let commands = CommandTable.all.filter { $0.name != Command.shell.name }
    return """
      The commands take no STORE here; 'help rows' tells a command's arguments and options.

      \(Help.columns(commands.map { ($0.name, $0.summary) }, indent: 2))
      The shell's own:

      \(Help.columns(Builtin.all.map { ($0.usage.isEmpty ? $0.name : $0.name + " " + $0.usage, $0.summary) }, indent: 2))
      SQL is typed directly and ends with ';', over as many lines as it takes. An object's URI, Person/p12 or a record
      name shows that object. Objects on the screen are numbered: 'show 3' opens the third, 'trace 3' tells its story.
      Ctrl-C stops a command, Ctrl-D leaves, Tab completes.

      """
  }

  static func text(for builtin: Builtin) -> String {
    let summary = builtin.summary.prefix(1).uppercased() + builtin.summary.dropFirst() + "."
    let others = builtin.names.dropFirst()
    let usage = builtin.usage.isEmpty ? builtin.name : builtin.name + " " + builtin.usage
    return "\(summary)\n\nUsage:\n  \(usage)\n"
      + (others.isEmpty ? "" : "\nThe same as: \(others.joined(separator: ", "))\n")
  }
}
