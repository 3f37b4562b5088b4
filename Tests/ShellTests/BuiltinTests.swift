import Commands
import Testing

@testable import Shell

/// The registry is the one source of the shell's help.
struct BuiltinTests {
  @Test func namesAreUniqueAndNoCommandIsHidden() {
    let names = Builtin.all.flatMap(\.names)
    #expect(Set(names).count == names.count)
    #expect(Set(names).isDisjoint(with: CommandTable.all.map(\.name)))
  }

  @Test(arguments: Builtin.all.map(\.name)) func isDocumented(_ name: String) throws {
    let builtin = try #require(Builtin.named(name))
    #expect(!builtin.summary.isEmpty && !builtin.summary.hasSuffix("."))
    #expect(ShellHelp.overview().contains("  \(name)"))
    #expect(ShellHelp.text(for: builtin).contains("Usage:\n  \(name)"))
  }

  @Test func helpFitsATerminalAndHasAllCommands() {
    for text in [ShellHelp.overview()] + Builtin.all.map({ ShellHelp.text(for: $0) }) {
      for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }
    for command in CommandTable.all where command.name != "shell" {
      #expect(ShellHelp.overview().contains("  \(command.name) "))
    }
  }

  /// Every word of another tool leads to something that is there.
  @Test(arguments: Synonym.all.flatMap(\.words)) func othersWordsLeadSomewhere(_ word: String) throws {
    guard let name = Synonym.meaning(of: word, in: .shell)?.helped else { return }
    #expect(CommandTable.command(named: name) != nil || Builtin.named(name) != nil, "\(word) is \(name)")
  }

  @Test(arguments: [
    ("Trip/p1", true), ("x-coredata://U/Trip/p1", true), ("957203A6-C3CD-94A7-B0A0-0F1FF1A0D122", true),
    ("Trip", false), ("a/b", false), ("3", false), ("Trip/p", false), ("-f", false),
  ]) func objectsAreRecognised(word: String, isObject: Bool) { #expect(ObjectName.isPlain(word) == isObject) }
}
