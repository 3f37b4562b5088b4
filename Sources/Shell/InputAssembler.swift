import Base
import Commands

/// Makes commands and statements out of lines: a command ends with its line or a semicolon, a statement goes on until its
/// semicolon. Comments before either are ignored.
struct InputAssembler {
  struct Input: Equatable {
    enum Kind: Equatable {
      case command, sql
    }
    var kind: Kind
    var text: String
    /// What stands behind its semicolon in the line: `| sort`.
    var tail = ""
    /// Whether it ends with `\G`, as mysql's do for one block per row.
    var isVertical = false
    /// What follows `\watch` in place of the semicolon: psql's way to run a statement again and again.
    var interval: String?
    /// Where it begins, counted from 1 over all lines fed.
    var line: Int
  }

  /// What has begun and not ended.
  private(set) var statement = ""
  /// A command whose last line ends with a backslash or in quoted SQL, as commands are pasted that stand in several lines.
  private var beginning = ""
  private var beginningLine = 0
  /// The quote around SQL that a command's last line leaves open.
  private var quoteOfSQL: Character?
  private var firstLine = 0
  private(set) var lineCount = 0
  private var lexer = SQLLexer()
  /// Whether all that comes is SQL: then nothing is a command, or goes elsewhere than to the result.
  private let takesSQLOnly: Bool

  init(takesSQLOnly: Bool = false) { self.takesSQLOnly = takesSQLOnly }

  /// Whether a statement or a comment has begun and not ended.
  var isContinuing: Bool { !statement.isEmpty || !beginning.isEmpty || isInComment }
  var isInComment: Bool { lexer.isInComment }
  /// The quote of a text or name that has begun and not ended.
  var openQuote: Character? {
    if let quoteOfSQL { return quoteOfSQL }
    guard case .quoted(let quote)? = lexer.open else { return nil }
    return Character(UnicodeScalar(quote))
  }

  /// What is whole after this line, or these lines where they were pasted.
  mutating func feed(_ text: String) -> [Input] {
    var inputs: [Input] = []
    for line in Self.lines(of: text) {
      lineCount += 1
      inputs += feed(line: line)
    }
    return inputs
  }

  /// Lines end in LF or CRLF; other characters that Unicode calls line ends may stand in a string.
  static func lines(of text: String) -> [Substring] {
    let text = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
    return text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
      Substring(line.last == 0x0D ? line.dropLast() : line)
    }
  }

  /// Two words of SQL and what may stand between them.
  private static let longestOpening = 256

  private mutating func feed(line: Substring) -> [Input] {
    var inputs: [Input] = []
    if beginning.isEmpty { beginningLine = lineCount }
    var rest = beginning.isEmpty ? line : Substring(beginning + line)
    (beginning, quoteOfSQL) = ("", nil)
    if !statement.isEmpty { statement += "\n" }
    while true {
      if statement.isEmpty {
        // Empty commands go at once: a line of a million semicolons is one, too.
        rest = lexer.skippingComments(rest).drop { $0 == ";" || $0.isWhitespace }
        guard !rest.isEmpty else { break }
        guard takesSQLOnly || SQLText.begins(rest.prefix(Self.longestOpening)) else {
          takeCommand(&rest).map { inputs.append($0) }
          if beginning.isEmpty { beginningLine = lineCount }
          continue
        }
        firstLine = lineCount
      }
      guard let end = end(of: rest) else {
        statement += rest
        return inputs
      }
      var input = Input(kind: .sql, text: statement + rest[..<end.text], line: firstLine)
      input.isVertical = end.isVertical
      statement = ""
      rest = rest[end.rest...]
      if end.isWatched {
        input.interval = String(rest.prefix { $0 != ";" && $0 != "|" })
        rest = rest.drop { $0 != ";" && $0 != "|" }
      }
      if !takesSQLOnly { input.tail = Self.takeTail(&rest) }
      inputs.append(input)
    }
    return inputs
  }

  /// Takes a command off the line, and the semicolon that ends it.
  private mutating func takeCommand(_ rest: inout Substring) -> Input? {
    // A program's semicolons are its own.
    let end = LineMarks(rest).first { $0.kind != .file }.flatMap { $0.kind == .end ? $0.offset : nil }
    var text = rest
    rest = ""
    var tail = ""
    if let end {
      let index = text.utf8.index(text.startIndex, offsetBy: end)
      rest = text[text.utf8.index(after: index)...]
      text = text[..<index]
      tail = Self.takeTail(&rest)
    }
    text = text.droppingLast(while: \.isWhitespace)
    if end == nil, text.hasSuffix(" \\") {
      beginning = String(text.dropLast())
      return nil
    }
    if end == nil, let quote = Self.openQuote(ofSQLIn: text) {
      (beginning, quoteOfSQL) = (text + "\n", quote)
      return nil
    }
    let isVertical = text.hasSuffix("\\G")
    if isVertical { text = text.dropLast(2).droppingLast(while: \.isWhitespace) }
    guard !text.isEmpty, !text.hasPrefix("#") else { return nil }
    return Input(kind: .command, text: String(text), tail: tail, isVertical: isVertical, line: beginningLine)
  }

  /// What people paste is shorter. Every line of it is looked at again with those before it.
  private static let longestQuotation = 20_000

  /// The quote of a command's last word if that is SQL which goes on in the next line: `"SELECT title`.
  private static func openQuote(ofSQLIn command: Substring) -> Character? {
    guard command.utf8.count < longestQuotation, let word = TypedWord.words(of: String(command)).last,
      let quote = word.openQuote, SQLText.begins(word.text)
    else { return nil }
    return quote
  }

  /// `| PROGRAM` and `> FILE` behind a semicolon, to the end of the line.
  private static func takeTail(_ rest: inout Substring) -> String {
    guard let next = rest.first(where: { !$0.isWhitespace }), "|>".contains(next) else { return "" }
    defer { rest = "" }
    return String(rest)
  }

  private struct End {
    var text: String.Index
    var rest: String.Index
    var isVertical = false
    var isWatched = false
  }

  /// Where a statement ends: behind its semicolon, or before `\G`, `\g`, `\gx` or `\watch` in place of one.
  private mutating func end(of text: Substring) -> End? {
    var rest = text
    var backslash: String.Index?
    while !rest.isEmpty {
      let start = rest.startIndex
      let piece = lexer.next(&rest)
      if piece == .symbol(UInt8(ascii: ";")) { return End(text: rest.startIndex, rest: rest.startIndex) }
      let word = text[start..<rest.startIndex]
      if let backslash, !takesSQLOnly, piece == .word, ["G", "g", "gx", "watch"].contains(word) {
        return End(
          text: backslash, rest: rest.startIndex, isVertical: word == "G" || word == "gx",
          isWatched: word == "watch")
      }
      backslash = piece == .symbol(UInt8(ascii: "\\")) ? start : nil
    }
    return nil
  }

  /// At the end of a script: a last statement needs no semicolon.
  mutating func finish() -> Input? {
    defer { drop() }
    if !beginning.isEmpty { return Input(kind: .command, text: beginning, line: beginningLine) }
    return statement.isEmpty ? nil : Input(kind: .sql, text: statement, line: firstLine)
  }

  /// Forgets what was begun.
  mutating func drop() {
    (statement, beginning, quoteOfSQL) = ("", "", nil)
    lexer = SQLLexer()
  }
}

extension Substring {
  /// Without what stands at the end and fits.
  fileprivate func droppingLast(while fits: (Character) -> Bool) -> Substring {
    var rest = self
    while let last = rest.last, fits(last) { rest.removeLast() }
    return rest
  }
}

/// Splits a line into words as a POSIX shell does, with `~/` for the home folder, and does nothing else that a shell
/// does: no variables, no patterns, no programs.
/// https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html#tag_19_02
enum WordSplitter {
  static func split(_ line: String) throws(UsageError) -> [String] {
    let bytes = Array(line.utf8)
    var words: [String] = []
    for word in TypedWord.words(of: line) {
      // Behind the last blank.
      if word.start == bytes.count { break }
      if bytes[word.start] == UInt8(ascii: "#") { break }
      if let quote = word.openQuote {
        throw .conflict(Self.openQuotation(quote, String(decoding: bytes[word.start...], as: UTF8.self)))
      }
      if word.awaitsCharacter { throw .conflict("The line ends with '\\', which quotes nothing.") }
      let isAtHome = bytes[word.start...].starts(with: "~/".utf8)
      words.append(isAtHome ? FolderListing.expanded(word.text) : word.text)
    }
    return words
  }

  /// Which quote it is, and how to go on.
  private static func openQuotation(_ quote: Character, _ text: String) -> String {
    let beginning = text.prefix(30) + (text.count > 30 ? "…" : "")
    let advice =
      quote == "'"
      ? "Close it; a text with an apostrophe goes into double quotes: \"it's\"."
      : "Close it, or type \\\" for a quote that belongs to the text."
    return "A \(quote) isn't closed (in: \(beginning)). \(advice)"
  }
}
