import Base
import TestSupport
import Testing

@testable import Commands

/// `Commands.md`: what each command's `--help` prints.
struct CommandsPageTests {
  @Test func isCurrent() throws {
    var lines = [
      "# Commands", "", "What `storescope COMMAND --help` prints, in the order of `storescope --help`.",
    ]
    for (title, commands) in CommandTable.groups {
      lines += ["", "## \(title)"]
      for command in commands {
        let help = Help.text(for: command, width: 80)
        lines += [
          "", "### \(command.name)", "", "```text", help.hasSuffix("\n") ? String(help.dropLast()) : help,
          "```",
        ]
      }
    }
    lines += [
      "", "## Options of every command", "", "```text",
      String(try #require(HelpTopic.named("options")).text(width: 80).trimmed), "```",
    ]
    try expectPage("Commands.md", lines.joined(separator: "\n") + "\n")
  }
}
