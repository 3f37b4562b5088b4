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
}
