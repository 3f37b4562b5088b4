import Commands

/// Makes commands and statements out of lines: a command is a line, a statement goes on until its semicolon. Comments
/// before either are ignored.
struct InputAssembler {
  struct Input: Equatable {
    enum Kind: Equatable {
      case command, sql
    }
    var kind: Kind
    var text: String
    /// What stands behind a statement's end in its line: `| sort`.
    var tail = ""
    /// Whether it ends with `\G`, as mysql's do for one block per row.
    var isVertical = false
    /// Where it begins, counted from 1 over all lines fed.
    var line: Int
  }

  /// What has begun and not ended.
  private(set) var statement = ""
  private var firstLine = 0
  private(set) var lineCount = 0
  private var lexer = SQLLexer()

  /// Whether a statement or a comment has begun and not ended.
  var isContinuing: Bool { !statement.isEmpty || isInComment }
  var isInComment: Bool { lexer.isInComment }

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

  private mutating func feed(line: Substring) -> [Input] {
    var inputs: [Input] = []
    var rest = line
    if !statement.isEmpty { statement += "\n" }
    while true {
      if statement.isEmpty {
        rest = lexer.skippingComments(rest)
        guard SQLText.begins(rest) else { break }
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
      if let next = rest.first(where: { !$0.isWhitespace }), "|>".contains(next) {
        input.tail = String(rest)
        rest = ""
      }
      inputs.append(input)
    }
    // Who is used to SQL ends commands with it too.
    var command = rest.droppingLast(while: { $0 == ";" || $0.isWhitespace })
    let isVertical = command.hasSuffix("\\G")
    if isVertical { command = command.dropLast(2).droppingLast(while: \.isWhitespace) }
    if !command.isEmpty, !command.hasPrefix("#") {
      inputs.append(
        Input(kind: .command, text: String(command), isVertical: isVertical, line: lineCount))
    }
    return inputs
  }

  /// Where a statement ends: behind its semicolon, or before `\G` or `\g` in place of one.
  private mutating func end(of text: Substring) -> (text: String.Index, rest: String.Index, isVertical: Bool)?
  {
    var rest = text
    var backslash: String.Index?
    while !rest.isEmpty {
      let start = rest.startIndex
      let piece = lexer.next(&rest)
      if piece == .symbol(UInt8(ascii: ";")) { return (rest.startIndex, rest.startIndex, false) }
      let word = text[start..<rest.startIndex]
      if let backslash, piece == .word, word == "G" || word == "g" {
        return (backslash, rest.startIndex, word == "G")
      }
      backslash = piece == .symbol(UInt8(ascii: "\\")) ? start : nil
    }
    return nil
  }

  /// At the end of a script: a last statement needs no semicolon.
  mutating func finish() -> Input? {
    defer { drop() }
    return statement.isEmpty ? nil : Input(kind: .sql, text: statement, line: firstLine)
  }

  /// Forgets what was begun.
  mutating func drop() {
    statement = ""
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
