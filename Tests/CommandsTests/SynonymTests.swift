import Testing

@testable import Commands

/// Words of other tools: understood, or answered with the right command.
struct SynonymTests {
  @Test func noneHidesACommandOrAnotherOne() {
    let names = Set(CommandTable.all.map(\.name))
    for isOfShell in [true, false] {
      let words = Synonym.all.filter { $0.isOfShell == isOfShell }.flatMap(\.words)
      #expect(Set(words).count == words.count)
      #expect(Set(words).isDisjoint(with: names))
    }
  }

  @Test(arguments: [
    ("tables", Completer.Place.program, Synonym.Meaning.command("entities")),
    (".tables", .shell, .command("entities")), (".schema", .shell, .command("entities")),
    ("\\x", .shell, .command("vertical", whenAlone: ["toggle"])), (".history", .shell, .command("typed")),
    // `.shell` was our own command of that name, which opens a store.
    (".show", .shell, .command("settings")),
    ("log", .program, .command("history")), ("use", .shell, .command("open")),
    ("migrate", .program, .command("preflight")), ("locate", .program, .command("find")),
    ("uploaded", .program, .command("pending")),
    ("validate", .shell, .command("doctor", always: ["--validate"])),
    ("use", .program, .command("shell")), ("q", .shell, .command("quit")),
  ]) func meansOurs(_ word: String, _ place: Completer.Place, _ meaning: Synonym.Meaning) {
    #expect(Synonym.meaning(of: word, in: place) == meaning)
  }

  @Test(arguments: [("q", Completer.Place.program), (".foo", .shell), (".tables", .program), ("", .shell)])
  func othersMeanNothing(_ word: String, _ place: Completer.Place) {
    #expect(Synonym.meaning(of: word, in: place) == nil)
  }

  /// `why` opened the glossary, and people asked why an object isn't on the server.
  @Test(arguments: [
    ([], [], "pending"), (["Entry/p9"], ["Entry/p9"], "trace"), (["Entry", "9"], ["Entry", "9"], "trace"),
    (["Tram 28"], ["Tram 28"], "trace"), (["3"], ["3"], "trace"), (["134419"], ["134419"], "explain"),
    (["change", "token"], ["change", "token"], "explain"),
    (["record-orphaned"], ["record-orphaned"], "explain"),
    // The program's words have the store in front.
    ([], ["App.store"], "pending"), (["Entry/p9"], ["App.store", "Entry/p9"], "trace"),
    (["3"], ["App.store", "3"], "trace"), ([], ["134419"], "explain"), ([], ["25"], "explain"),
  ]) func whyDependsOnWhatItIsAbout(_ rest: [String], _ operands: [String], _ name: String) throws {
    let meaning = try #require(Synonym.meaning(of: "why", in: .shell))
    #expect(try meaning.words(for: "why", before: rest, operands: operands).name == name)
  }

  /// MySQL's questions were taken for an object's title.
  @Test(arguments: [
    ("SHOW TABLES", ["entities"]), ("show full columns from Trip", ["entities", "Trip"]),
    ("SHOW CREATE TABLE Trip", ["entities", "Trip"]), ("show fields in Trip", ["entities", "Trip"]),
    ("show status", ["summary"]), ("show Spring in Lisbon", nil), ("show create", nil),
  ]) func listsAreAnswered(_ line: String, _ meant: [String]?) throws {
    #expect(try Synonym.listing(line.split(separator: " ").map(String.init)) == meant)
  }

  @Test func indexesHaveAnAnswer() {
    #expect(throws: UsageError.self) { try Synonym.listing(["show", "index", "from", "Trip"]) }
  }

  /// sqlite3's and psql's ways to run programs are answered by what there is in place of them.
  @Test(arguments: [".shell", ".system", "\\!", "!"]) func programsAreStartedByPipesOnly(_ word: String)
    throws
  {
    let meaning = try #require(Synonym.meaning(of: word, in: .shell))
    #expect(throws: UsageError.self) { try meaning.words(for: word, before: ["ls"]) }
  }

  @Test func whatStandsBehindAWordStays() throws {
    let meaning = try #require(Synonym.meaning(of: "\\timing", in: .shell))
    #expect(try meaning.words(for: "\\timing", before: []).extra == ["toggle"])
    #expect(try meaning.words(for: "\\timing", before: ["on"]).extra.isEmpty)
    let headers = try #require(Synonym.meaning(of: ".headers", in: .shell))
    #expect(throws: UsageError.self) { try headers.words(for: ".headers", before: ["on"]) }
  }
}
