import Rendering

/// Help texts, from the command table.
package enum Help {
  package static var overview: String {
    let width = CommandTable.all.map(\.name.count).max() ?? 0
    let commands = CommandTable.all.map { command in
      "  " + command.name + String(repeating: " ", count: width - command.name.count + 2) + command.summary
    }
    return """
      storescope opens the SQLite stores of Core Data and SwiftData and says what is true about them, without
      Apple's frameworks and without changing a byte.

      Usage:
        storescope COMMAND STORE [ARGUMENTS] [OPTIONS]
        storescope STORE                         the shell; its summary where no terminal is

      Commands:
      \(commands.joined(separator: "\n"))

      'storescope COMMAND --help' tells a command's arguments and options. Tables show the first 100 rows and say how
      many more there are; --limit N shows N of them, and --json, --format ndjson and --format csv print everything.

      Examples:
        storescope demo                          make a store to try things on
        storescope summary App.store             what is in it
        storescope rows App.store Person --json  its people, with the model's names
        storescope history App.store --by author who changed how much

      Exit codes: 0 done, 1 'doctor' found something, 2 could not do it, 64 wrong usage.

      """
  }

  package static func text(for command: Command) -> String {
    var sections = [command.summary.prefix(1).uppercased() + command.summary.dropFirst() + "."]
    sections.append("Usage:\n  " + command.usage)
    if !command.arguments.isEmpty {
      sections.append("Arguments:\n" + list(command.arguments.map { ($0.name, $0.help) }))
    }
    sections.append("Options:\n" + list(command.allOptions.map { ($0.usage, $0.help) }))
    if !command.discussion.isEmpty { sections.append(command.discussion) }
    return sections.joined(separator: "\n\n") + "\n"
  }

  /// Two columns, a line each, or more where the second doesn't fit into `width`.
  package static func columns(_ entries: [(String, String)], indent: Int = 0, width: Int? = nil) -> String {
    let names = entries.map(\.0.count).max() ?? 0
    let second = indent + names + 2
    return entries.map { name, text in
      String(repeating: " ", count: indent) + name + String(repeating: " ", count: names - name.count + 2)
        + (width.map { TerminalText.wrapped(text, to: $0, indent: second) } ?? text) + "\n"
    }.joined()
  }

  private static func list(_ entries: [(String, String)]) -> String {
    let width = min(34, entries.map(\.0.count).max() ?? 0)
    return entries.map { name, help in
      name.count > width
        ? "  \(name)\n  \(String(repeating: " ", count: width))  \(help)"
        : "  \(name)\(String(repeating: " ", count: width - name.count))  \(help)"
    }.joined(separator: "\n")
  }
}
