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
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      lineCount += 1
      inputs += feed(line: line)
    }
    return inputs
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
    let command = rest.drop(while: \.isWhitespace)
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
