import Commands

/// Makes commands and statements out of lines: a command is a line, a statement goes on until its semicolon. Comments
/// before either are passed over.
struct InputAssembler {
  struct Input: Equatable {
    enum Kind: Equatable {
      case command, sql
    }
    var kind: Kind
    var text: String
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
      guard let end = lexer.end(of: rest) else {
        statement += rest
        return inputs
      }
      inputs.append(Input(kind: .sql, text: statement + rest[..<end], line: firstLine))
      statement = ""
      rest = rest[end...]
    }
    // Who is used to SQL ends commands with it too.
    let command = rest.droppingLast(while: { $0 == ";" || $0.isWhitespace })
    if !command.isEmpty, !command.hasPrefix("#") {
      inputs.append(Input(kind: .command, text: String(command), line: lineCount))
    }
    return inputs
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
