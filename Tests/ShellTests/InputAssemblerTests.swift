import Commands
import Foundation
import Testing

@testable import Shell

struct InputAssemblerTests {
  private typealias Input = InputAssembler.Input

  @Test func linesAreCommandsAndStatementsGoOn() {
    var assembler = InputAssembler()
    #expect(assembler.feed("rows Trip") == [Input(kind: .command, text: "rows Trip", line: 1)])
    #expect(assembler.feed("SELECT 1,").isEmpty && assembler.isContinuing)
    #expect(assembler.feed("").isEmpty)
    #expect(
      assembler.feed("2; .tables") == [
        Input(kind: .sql, text: "SELECT 1,\n\n2;", line: 2), Input(kind: .command, text: ".tables", line: 4),
      ])
    #expect(!assembler.isContinuing)
    #expect(assembler.feed("# a remark\n-- another\n\n").isEmpty)
  }

  /// A command that was pasted from a script in two lines was refused.
  @Test func aBackslashJoinsLines() {
    var assembler = InputAssembler()
    #expect(assembler.feed("rows Trip \\").isEmpty && assembler.isContinuing)
    #expect(
      assembler.feed("  --limit 2") == [Input(kind: .command, text: "rows Trip   --limit 2", line: 1)])
    #expect(!assembler.isContinuing)
    #expect(assembler.feed("rows Trip \\").isEmpty)
    #expect(assembler.finish() == Input(kind: .command, text: "rows Trip ", line: 3))
  }

  /// What the command line takes was refused when it was pasted. An apostrophe opens no quotation.
  @Test func quotedSQLGoesOn() {
    for command in ["", "query ", "storescope query App.store ", "App.store "] {
      var assembler = InputAssembler()
      #expect(assembler.feed("\(command)\"SELECT 'a;b'").isEmpty && assembler.openQuote == "\"")
      #expect(
        assembler.feed("FROM Trip\"; rows Trip") == [
          Input(kind: .command, text: "\(command)\"SELECT 'a;b'\nFROM Trip\"", line: 1),
          Input(kind: .command, text: "rows Trip", line: 2),
        ])
      #expect(!assembler.isContinuing && assembler.openQuote == nil)
    }
    var assembler = InputAssembler()
    #expect(assembler.feed("search it's").count == 1 && !assembler.isContinuing)
    #expect(assembler.feed("search 'with").isEmpty)
    #expect(assembler.finish()?.text == "search 'with\n")
  }

  /// A file of `query` must not become commands.
  @Test func sqlAloneHasNoCommands() {
    var assembler = InputAssembler(takesSQLOnly: true)
    #expect(
      assembler.feed("SELECT 1; > out; .quit;\nSELECT 2\\G;") == [
        Input(kind: .sql, text: "SELECT 1;", line: 1), Input(kind: .sql, text: "> out;", line: 1),
        Input(kind: .sql, text: ".quit;", line: 1), Input(kind: .sql, text: "SELECT 2\\G;", line: 2),
      ])
  }

  /// Nothing said why the statement went on.
  @Test(arguments: [
    ("SELECT 'a", "'" as Character?), ("SELECT \"a", "\""), ("SELECT 'a'", nil), ("SELECT /*", nil),
  ])
  func anOpenQuoteIsKnown(_ line: String, _ quote: Character?) {
    var assembler = InputAssembler()
    #expect(assembler.feed(line).isEmpty && assembler.isContinuing && assembler.openQuote == quote)
  }

  @Test func aPasteIsRunLineByLine() {
    var assembler = InputAssembler()
    #expect(
      assembler.feed("SELECT 1; SELECT 2;\nrows Trip\r\nSELECT 3\n;") == [
        Input(kind: .sql, text: "SELECT 1;", line: 1), Input(kind: .sql, text: "SELECT 2;", line: 1),
        Input(kind: .command, text: "rows Trip", line: 2), Input(kind: .sql, text: "SELECT 3\n;", line: 3),
      ])
  }

  @Test func aScriptsLastStatementNeedsNoSemicolon() {
    var assembler = InputAssembler()
    _ = assembler.feed("SELECT 1")
    #expect(assembler.finish() == Input(kind: .sql, text: "SELECT 1", line: 1))
    #expect(assembler.finish() == nil)
    _ = assembler.feed("SELECT 1")
    assembler.drop()
    #expect(assembler.finish() == nil)
  }

  @Test func commentsBeforeAStatementOrACommandArePassedOver() {
    var assembler = InputAssembler()
    #expect(assembler.feed("/* a */ SELECT 1;") == [Input(kind: .sql, text: "SELECT 1;", line: 1)])
    #expect(assembler.feed("/* rows Trip").isEmpty && assembler.isContinuing && assembler.isInComment)
    #expect(assembler.feed("SELECT 2; -- still").isEmpty && assembler.isInComment)
    #expect(
      assembler.feed("*/ -- and\n  -- more\nSELECT 3 /* x\n;*/; /* y */ rows Trip") == [
        Input(kind: .sql, text: "SELECT 3 /* x\n;*/;", line: 6),
        Input(kind: .command, text: "rows Trip", line: 7),
      ])
    #expect(assembler.feed("SELECT 4; /* z").count == 1)
    #expect(assembler.finish() == nil && !assembler.isContinuing)
    #expect(assembler.feed("/* only */\n-- this").isEmpty && !assembler.isContinuing)
    #expect(assembler.feed("SELECT '\n-- no comment';").map(\.text) == ["SELECT '\n-- no comment';"])
  }

  /// `rows Entry; rows Tag` was refused; what is quoted, or a program's, is no end.
  @Test(arguments: [
    ("rows Entry; rows Tag", ["rows Entry", "rows Tag"], ["", ""]),
    ("rows Entry;rows Tag;;", ["rows Entry", "rows Tag"], ["", ""]),
    ("rows Entry; SELECT 1; rows Tag", ["rows Entry", "SELECT 1;", "rows Tag"], ["", "", ""]),
    ("rows E --where \"a = ';'\"; back", ["rows E --where \"a = ';'\"", "back"], ["", ""]),
    ("rows E | sed 's/;/,/'; sort", ["rows E | sed 's/;/,/'; sort"], [""]),
    ("rows E > f; back", ["rows E > f", "back"], ["", ""]),
    ("rows E; | sort; uniq", ["rows E"], [" | sort; uniq"]),
    ("rows E # a; b", ["rows E # a; b"], [""]), ("# a; b", [], []),
    ("rows a\\;b", ["rows a\\;b"], [""]), ("show 'a; b", ["show 'a; b"], [""]),
    ("rows E \\G; back", ["rows E", "back"], ["", ""]),
  ]) func commandsOnOneLineAreSeparated(line: String, texts: [String], tails: [String]) {
    var assembler = InputAssembler()
    let inputs = assembler.feed(line)
    #expect(inputs.map(\.text) == texts && inputs.map(\.tail) == tails)
    #expect(!assembler.isContinuing)
  }

  @Test func aStatementEndsWithAnotherMarkToo() {
    var assembler = InputAssembler()
    var vertical = Input(kind: .sql, text: "SELECT 1\n", line: 1)
    vertical.isVertical = true
    #expect(
      assembler.feed("SELECT 1\n\\G rows Trip") == [
        vertical, Input(kind: .command, text: "rows Trip", line: 2),
      ])
    #expect(assembler.feed("SELECT '\\G', \"\\G\"\\g").map(\.text) == ["SELECT '\\G', \"\\G\""])
    #expect(assembler.feed("rows Trip \\G").map(\.isVertical) == [true])
    #expect(assembler.feed("rows Trip\\G").map(\.text) == ["rows Trip"])
  }

  @Test func whatStandsBehindAStatementIsItsTail() {
    var assembler = InputAssembler()
    let inputs = assembler.feed("SELECT 1; SELECT 2 | 3; | sort; uniq")
    #expect(
      inputs.map(\.text) == ["SELECT 1;", " SELECT 2 | 3;"]
        || inputs.map(\.text) == ["SELECT 1;", "SELECT 2 | 3;"])
    #expect(inputs.map(\.tail) == ["", " | sort; uniq"])
  }

  /// Looked at anew with each line, this would be 200 billion characters.
  @Test func aStatementOfManyLinesIsReadOnce() {
    var assembler = InputAssembler()
    #expect(assembler.feed("SELECT '").isEmpty)
    for _ in 0..<20_000 { #expect(assembler.feed("it is; a line of a thousand or so -- /*").isEmpty) }
    let statement = assembler.feed("' AS text; rows Trip")
    #expect(statement.map(\.line) == [1, 20_002])
    let length = 8 + 20_000 * 40 + 11
    #expect(statement.first?.text.utf8.count == length)
    // Many statements in one line.
    #expect(assembler.feed(String(repeating: "SELECT 1; ", count: 20_000)).count == 20_000)
  }
}

struct WordSplitterTests {
  @Test(arguments: [
    ("rows Trip", ["rows", "Trip"]), ("  rows\tTrip  ", ["rows", "Trip"]),
    ("rows Trip --where \"title = 'x'\"", ["rows", "Trip", "--where", "title = 'x'"]),
    ("a'b c'd", ["ab cd"]), ("''", [""]), ("a \"\" b", ["a", "", "b"]), ("a\\ b", ["a b"]),
    ("\"a\\\"b\\n\"", ["a\"b\\n"]), ("'a\\'", ["a\\"]), ("a # b", ["a"]), ("a # it's", ["a"]),
    ("a '# b'", ["a", "# b"]), ("a#b", ["a#b"]),
    ("$HOME `ls` $(ls) * ~ !x", ["$HOME", "`ls`", "$(ls)", "*", "~", "!x"]), ("", []),
  ]) func splitsAsAShellDoes(line: String, words: [String]) throws {
    #expect(try WordSplitter.split(line) == words)
  }

  @Test func aTildeIsTheHomeFolderAndNothingElse() throws {
    let home = try #require(ProcessInfo.processInfo.environment["HOME"])
    #expect(
      try WordSplitter.split("read ~/a\\ b '~/a' \"~/a\" x~/a ~ ~root/a ~/'x y'") == [
        "read", home + "/a b", "~/a", "~/a", "x~/a", "~", "~root/a", home + "/x y",
      ])
  }

  @Test(arguments: ["rows 'Trip", "rows \"Trip", "rows \\"]) func tellsWhatIsOpen(line: String) {
    #expect(throws: UsageError.self) { try WordSplitter.split(line) }
  }
}
