/// Makes commands and statements out of lines: a command is a line, a statement goes on until its semicolon.
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

  /// Whether a statement has begun and not ended.
  var isContinuing: Bool { !statement.isEmpty }

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
    var rest = String(line)
    while isContinuing || SQLText.begins(rest) {
      if isContinuing { statement += "\n" + rest } else { (statement, firstLine) = (rest, lineCount) }
      guard let end = SQLText.end(of: statement) else { return inputs }
      rest = String(statement[end...].drop(while: \.isWhitespace))
      inputs.append(Input(kind: .sql, text: String(statement[..<end]), line: firstLine))
      statement = ""
    }
    // Who is used to SQL ends commands with it too.
    let command = rest.drop(while: \.isWhitespace).droppingLast(while: { $0 == ";" || $0.isWhitespace })
    if !command.isEmpty, !command.hasPrefix("#"), !command.hasPrefix("--") {
      inputs.append(Input(kind: .command, text: String(command), line: lineCount))
    }
    return inputs
  }

  /// At the end of a script: a last statement needs no semicolon.
  mutating func finish() -> Input? {
    defer { statement = "" }
    return isContinuing ? Input(kind: .sql, text: statement, line: firstLine) : nil
  }

  /// Forgets what was begun.
  mutating func drop() { statement = "" }
}

extension Substring {
  /// Without what stands at the end and fits.
  fileprivate func droppingLast(while fits: (Character) -> Bool) -> Substring {
    var rest = self
    while let last = rest.last, fits(last) { rest.removeLast() }
    return rest
  }
}
