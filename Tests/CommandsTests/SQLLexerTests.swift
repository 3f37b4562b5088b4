import Testing

@testable import Commands

struct SQLLexerTests {
  /// Fed in one piece and line by line it comes to the same.
  @Test(arguments: [
    ("SELECT 1;", "SELECT 1;"), ("SELECT ';' ; x", "SELECT ';' ;"), ("SELECT \";\";", "SELECT \";\";"),
    ("SELECT [;] ;", "SELECT [;] ;"), ("SELECT `;`;", "SELECT `;`;"),
    ("SELECT 'it''s;';", "SELECT 'it''s;';"), ("SELECT '\n;\n';", "SELECT '\n;\n';"),
    ("SELECT 1 -- ; no\n;", "SELECT 1 -- ; no\n;"), ("SELECT /* ; */ 1;", "SELECT /* ; */ 1;"),
    ("SELECT /* ;\n** ; */ 1;", "SELECT /* ;\n** ; */ 1;"), ("SELECT '--'; x", "SELECT '--';"),
    ("SELECT 'é;日';", "SELECT 'é;日';"), ("SELECT 2 - 1 / 1;", "SELECT 2 - 1 / 1;"),
    ("SELECT -- '\n1; x'", "SELECT -- '\n1;"), ("SELECT 1 /* ' */; x'", "SELECT 1 /* ' */;"),
  ]) func ends(text: String, statement: String) {
    var whole = SQLLexer()
    let end = Self.end(of: text[...], &whole)
    #expect(end.map { text[..<$0] } == statement[...])
    var lexer = SQLLexer()
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      guard let other = Self.end(of: line, &lexer) else { continue }
      #expect(other == end)
      return
    }
    Issue.record("It doesn't end line by line.")
  }

  /// Behind the first semicolon that isn't in a string, a name or a comment.
  private static func end(of text: Substring, _ lexer: inout SQLLexer) -> String.Index? {
    var rest = text
    while !rest.isEmpty {
      if lexer.next(&rest) == .symbol(UInt8(ascii: ";")) { return rest.startIndex }
    }
    return nil
  }

  @Test(arguments: [
    "SELECT 1", "SELECT ';", "SELECT \";", "SELECT /* ;", "SELECT 1 -- ;", "SELECT [;", "/*/;",
  ])
  func doesNotEnd(text: String) {
    var lexer = SQLLexer()
    #expect(Self.end(of: text[...], &lexer) == nil)
  }

  @Test(arguments: [
    ("rows", "rows"), ("  /* a */ -- b\n\t/**/SELECT 1", "SELECT 1"), ("-- é", ""), ("/* é", ""), ("", ""),
    ("- 1", "- 1"), ("/x", "/x"), ("\u{A0}é", "é"),
  ]) func commentsArePassedOver(text: String, rest: String) {
    var lexer = SQLLexer()
    #expect(lexer.skippingComments(text[...]) == rest)
  }

  @Test func piecesAreWhatSQLiteTakesThemFor() {
    var lexer = SQLLexer()
    var rest = "SELECT \"a\"\"b\".é$1, 'it''s' [x]/* c */-- r"[...]
    var pieces: [SQLLexer.Piece] = []
    while !rest.isEmpty { pieces.append(lexer.next(&rest)) }
    let (single, double, bracket) = (UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "["))
    #expect(
      pieces == [
        .word, .blank, .quoted(double), .symbol(UInt8(ascii: ".")), .word, .symbol(UInt8(ascii: ",")), .blank,
        .quoted(single), .blank, .quoted(bracket), .comment, .remark,
      ])
    #expect(lexer.open == nil)
  }
}
