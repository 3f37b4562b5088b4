import Commands
import Testing

/// The registry is the one source of help and parsing: these hold its entries to what both rely on.
struct CommandTableTests {
  @Test func namesAreUnique() {
    #expect(Set(CommandTable.all.map(\.name)).count == CommandTable.all.count)
  }

  @Test(arguments: CommandTable.all.map(\.name))
  func isDocumented(_ name: String) throws {
    let command = try #require(CommandTable.command(named: name))
    #expect(!command.summary.isEmpty && !command.summary.hasSuffix("."))
    #expect(Help.overview.contains("  \(name) "))
    let help = Help.text(for: command)
    for option in command.allOptions {
      #expect(help.contains("--\(option.name)"))
      #expect(!option.help.isEmpty && !option.help.hasSuffix("."))
    }
    #expect(Set(command.allOptions.map(\.name)).count == command.allOptions.count)
    let shorts = command.allOptions.compactMap(\.short)
    #expect(Set(shorts).count == shorts.count)
  }

  @Test(arguments: CommandTable.all.map(\.name))
  func helpFitsATerminal(_ name: String) throws {
    let command = try #require(CommandTable.command(named: name))
    for line in Help.text(for: command).split(separator: "\n") { #expect(line.count <= 120, "\(line)") }
  }
}
