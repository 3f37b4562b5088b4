import Commands

/// Help in the shell, from the command table and the builtins.
enum ShellHelp {
  /// Of the narrowest terminal that people still use.
  private static let columns = 80

  static var overview: String {
    let commands = CommandTable.all.filter { $0.name != Command.shell.name }
    return """
      The commands take no STORE here; 'help rows' tells what one of them takes.

      \(Help.columns(commands.map { ($0.name, $0.summary) }, indent: 2, width: columns))
      The shell's own:

      \(Help.columns(Builtin.all.map { ($0.name, $0.summary) }, indent: 2, width: columns))
      SQL is typed directly and ends with ';', over as many lines as it takes. An
      object's URI, Person/p12 or a record name shows that object. Objects on the
      screen are numbered: 'show 3' opens the third, 'trace 3' tells its story.
      Ctrl-C stops a command, Ctrl-D leaves, Tab completes.

      """
  }

  static func text(for builtin: Builtin) -> String {
    let summary = builtin.summary.prefix(1).uppercased() + builtin.summary.dropFirst() + "."
    let others = builtin.names.dropFirst()
    let options = builtin.options.map { ($0.usage, $0.help) }
    return "\(summary)\n\nUsage:\n  \(builtin.synopsis)\n"
      + (options.isEmpty ? "" : "\nOptions:\n\(Help.columns(options, indent: 2, width: columns))")
      + (others.isEmpty ? "" : "\nThe same as: \(others.joined(separator: ", "))\n")
  }
}
