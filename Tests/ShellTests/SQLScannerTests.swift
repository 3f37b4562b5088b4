import Testing

@testable import Shell

struct SQLScannerTests {
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
    var whole = SQLScanner()
    let end = whole.end(of: text[...])
    #expect(end.map { text[..<$0] } == statement[...])
    var scanner = SQLScanner()
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      guard let other = scanner.end(of: line) else { continue }
      #expect(other == end)
      return
    }
    Issue.record("It doesn't end line by line.")
  }

  @Test(arguments: [
    "SELECT 1", "SELECT ';", "SELECT \";", "SELECT /* ;", "SELECT 1 -- ;", "SELECT [;", "/*/;",
  ])
  func doesNotEnd(text: String) {
    var scanner = SQLScanner()
    #expect(scanner.end(of: text[...]) == nil)
  }

  @Test(arguments: [
    ("rows", "rows"), ("  /* a */ -- b\n\t/**/SELECT 1", "SELECT 1"), ("-- é", ""), ("/* é", ""), ("", ""),
    ("- 1", "- 1"), ("/x", "/x"), ("\u{A0}é", "é"),
  ]) func commentsArePassedOver(text: String, rest: String) {
    var scanner = SQLScanner()
    #expect(scanner.skippingComments(text[...]) == rest)
  }
}
