import Commands
import Values

/// Where the results of one line go in place of the screen.
enum Redirection: Equatable {
  /// Behind `|`, as typed: for a shell.
  case program(String)
  /// Behind `>` and `>>`.
  case file(String, appends: Bool)

  /// Cuts a line where a result is sent elsewhere: at the first `|` that isn't quoted and isn't half of a `||`, which
  /// is SQL's, or at a `>` that begins a word.
  /// - Returns: what is run, and where its result goes; nil for the screen.
  static func split(_ line: String) throws(UsageError) -> (command: String, target: Redirection?) {
    guard let (start, isPipe) = mark(in: line) else { return (line, nil) }
    let bytes = Array(line.utf8)
    let command = String(decoding: bytes[..<start], as: UTF8.self)
    var rest = bytes[(start + 1)...]
    if isPipe {
      let program = String(decoding: rest, as: UTF8.self).drop(while: \.isWhitespace)
      guard !program.isEmpty else {
        throw .conflict("A program is missing after '|', as in 'rows Person | grep Ada'.")
      }
      return (command, .program(String(program)))
    }
    let appends = rest.first == UInt8(ascii: ">")
    if appends { rest.removeFirst() }
    let words = try WordSplitter.split(String(decoding: rest, as: UTF8.self))
    guard words.count == 1, let path = words.first, !path.isEmpty else {
      throw .conflict(
        words.isEmpty
          ? "A file is missing after '>', as in 'rows Person > people.txt'."
          : "Only one file can follow '>'. Put a condition with '>' in quotes.")
    }
    // `--where rating > 3` without its quotes.
    guard Double(path) == nil, !path.hasPrefix("=") else {
      throw .conflict(
        "'> \(path)' would write to a file '\(path)'. Put a condition in quotes, as in --where \"rating > 3\"; such a file is './\(path)'."
      )
    }
    return (command, .file(path, appends: appends))
  }

  /// The byte at which the command ends.
  private static func mark(in line: String) -> (start: Int, isPipe: Bool)? {
    let bytes = Array(line.utf8)
    var quote: UInt8?
    var index = 0
    var isWordStart = true
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\\"), quote != UInt8(ascii: "'") {
        index += 1
      } else if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
        quote = byte
      } else if byte == UInt8(ascii: "#"), isWordStart {
        return nil
      } else if byte == UInt8(ascii: "|") {
        guard index + 1 < bytes.count, bytes[index + 1] == byte else { return (index, true) }
        index += 1
      } else if byte == UInt8(ascii: ">"), isWordStart {
        return (index, false)
      }
      isWordStart = byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
      index += 1
    }
    return nil
  }
}
