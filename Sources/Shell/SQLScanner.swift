/// Finds where statements end, a piece of text after the other: what a piece leaves open, the next one goes on with.
/// https://www.sqlite.org/lang.html
struct SQLScanner {
  private enum State: Equatable {
    case plain, comment
    /// A string or a name, up to this byte. A doubled one within closes it and opens the next, which comes to the same.
    case quoted(UInt8)
  }

  private var state = State.plain

  /// Whether a comment is open that goes on in the next piece.
  var isInComment: Bool { state == .comment }

  /// Behind the semicolon that ends the statement; nil where it goes on behind this piece, which ends where a line does.
  /// A remark `-- …` ends there too.
  mutating func end(of piece: Substring) -> String.Index? {
    let bytes = piece.utf8
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      switch state {
      case .quoted(let close): if byte == close { state = .plain }
      case .comment: if byte == UInt8(ascii: "*"), rest.first == UInt8(ascii: "/") { close(&rest) }
      case .plain:
        switch byte {
        case UInt8(ascii: ";"): return rest.startIndex
        case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): state = .quoted(byte)
        case UInt8(ascii: "["): state = .quoted(UInt8(ascii: "]"))
        case UInt8(ascii: "-") where rest.first == byte:
          rest = rest.drop { $0 != 0x0A }
        case UInt8(ascii: "/") where rest.first == UInt8(ascii: "*"):
          rest.removeFirst()
          state = .comment
        default: break
        }
      }
    }
    return nil
  }

  private mutating func close(_ rest: inout Substring.UTF8View) {
    rest.removeFirst()
    state = .plain
  }

  /// The text without the blanks and comments that it begins with; empty where there is nothing else in it.
  mutating func skippingComments(_ text: Substring) -> Substring {
    var rest = text.utf8
    while let byte = rest.first {
      let second = rest.dropFirst().first
      if state == .comment {
        rest.removeFirst()
        if byte == UInt8(ascii: "*"), second == UInt8(ascii: "/") { close(&rest) }
      } else if byte == UInt8(ascii: "/"), second == UInt8(ascii: "*") {
        rest = rest.dropFirst(2)
        state = .comment
      } else if byte == UInt8(ascii: "-"), second == byte {
        rest = rest.drop { $0 != 0x0A }
      } else if let character = Substring(rest).first, character.isWhitespace {
        rest = Substring(rest).dropFirst().utf8
      } else {
        break
      }
    }
    return Substring(rest)
  }
}
