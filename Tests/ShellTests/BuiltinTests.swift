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

  /// Every word of another tool leads to something that is there, and hides nothing that is.
  @Test(arguments: [CommandPlace.shell, .program]) func othersWordsLeadSomewhere(_ place: CommandPlace) {
    for word in Words.known(in: place) {
      #expect(CommandTable.command(named: word) == nil, "\(word)")
      guard let name = Words.command(for: word, in: place)?.first else {
        #expect(Words.answer(to: word, in: place) != nil, "\(word)")
        continue
      }
      let isThere = CommandTable.command(named: name) != nil || place == .shell && Builtin.named(name) != nil
      #expect(isThere || name == "help", "\(word) is \(name)")
    }
  }

  @Test(arguments: [
    ("Trip/p1", true), ("x-coredata://U/Trip/p1", true), ("957203A6-C3CD-94A7-B0A0-0F1FF1A0D122", true),
    ("Trip", false), ("a/b", false), ("3", false), ("Trip/p", false), ("-f", false),
  ]) func objectsAreRecognised(word: String, isObject: Bool) {
    #expect(StoreShell.namesObject(word) == isObject)
  }
}
