import QueryCatalog
import Testing

@testable import Commands

/// The registry is the one source of help and parsing: these hold its entries to what both rely on.
struct CommandTableTests {
  @Test func namesAreUnique() {
    #expect(Set(CommandTable.all.map(\.name)).count == CommandTable.all.count)
  }

  @Test(arguments: CommandTable.all.map(\.name))
  func isDocumented(_ name: String) throws {
    let command = try #require(CommandTable.command(named: name))
    #expect(!command.summary.isEmpty && !command.summary.hasSuffix("."))
    #expect(HelpTopic.named("commands")?.text(width: 80).contains("  \(name) ") == true)
    let help = Help.text(for: command) + (try #require(HelpTopic.named("options")).text(width: 80))
    for option in command.allOptions {
      #expect(help.contains("--\(option.name)"))
      #expect(!option.help.isEmpty && !option.help.hasSuffix("."))
    }
    #expect(Set(command.allOptions.map(\.name)).count == command.allOptions.count)
    let shorts = command.allOptions.compactMap(\.short)
    #expect(Set(shorts).count == shorts.count)
  }

  @Test(arguments: HelpTopic.all.map(\.name)) func topicsFitATerminal(_ name: String) throws {
    let topic = try #require(HelpTopic.named(name))
    #expect(!topic.summary.isEmpty && !topic.summary.hasSuffix("."))
    let lines = topic.text(width: 80).split(separator: "\n")
    #expect(!lines.isEmpty && lines.allSatisfy { $0.count <= 80 })
    // A wide terminal has fewer lines.
    #expect(topic.text(width: 110).split(separator: "\n").count <= lines.count)
  }

  @Test func everyCommandIsInOneGroup() {
    #expect(CommandTable.groups.flatMap(\.commands).count == CommandTable.all.count)
    #expect(CommandTable.groups.allSatisfy { !$0.title.isEmpty && !$0.commands.isEmpty })
  }

  @Test func helpSaysHowManyRowsATableShows() {
    let all = HelpTopic.named("commands")?.text(width: 80)
    #expect(all?.contains("\n\nTables show the first 100 rows") == true)
    // It was 82 lines, of which most people need a dozen.
    #expect(Help.overview().split(separator: "\n", omittingEmptySubsequences: false).count <= 24)
    #expect(Help.overview().split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(HelpTopic.named("options")?.text(width: 200).contains("default: 100 in table") == true)
  }

  /// The header that help shows is read as it says.
  @Test func helpShowsAQuerysHeader() throws {
    let command = try #require(CommandTable.command(named: "query"))
    let header = Help.text(for: command).split(separator: "\n").filter { $0.hasPrefix("  -- ") }
      .map { $0.dropFirst(2) }
    let query = SavedQuery(name: "x", sql: header.joined(separator: "\n") + "\nSELECT 1")
    #expect(!query.title.isEmpty && !query.shows.isEmpty)
    #expect(query.parameters.map(\.defaultValue) == [nil, "2026-01-01"])
  }

  @Test(arguments: [(nil, "FRX"), ("", "FRX"), ("iM", "-R iM"), ("-F -P ?f%f", "-R -F -P ?f%f")])
  func lessShowsColours(_ own: String?, _ options: String) {
    #expect(Pager.lessOptions(own) == options)
  }
}
