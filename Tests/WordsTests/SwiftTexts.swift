/// The string literals and the comments of a Swift file, read in one pass.
struct SwiftTexts {
  private(set) var passages: [Passage] = []

  private enum Mode {
    /// With so many open parentheses; an interpolation ends with one more that closes.
    case code(parentheses: Int)
    case literal(Literal)
  }

  private struct Literal {
    let quotes: Int
    let hashes: Int
    let line: Int
    var bytes: [UInt8] = []
    /// The line on which an interpolation began.
    var paused: Int?
  }

  private let place: String
  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  private var modes = [Mode.code(parentheses: 0)]
  /// Comments on lines that follow each other are one text.
  private var comment: (first: Int, last: Int, bytes: [UInt8])?

  init(_ place: String, _ source: [UInt8]) {
    self.place = place
    bytes = source
    while position < bytes.count {
      switch modes.removeLast() {
      case .literal(let literal): read(literal)
      case .code(let parentheses): readCode(parentheses)
      }
    }
    endComment()
  }

  private func stands(_ byte: UInt8, at offset: Int = 0) -> Bool {
    position + offset < bytes.count && bytes[position + offset] == byte
  }

  private func count(_ byte: UInt8, at offset: Int = 0, atMost most: Int = .max) -> Int {
    var count = 0
    while count < most, stands(byte, at: offset + count) { count += 1 }
    return count
  }

  private mutating func read(_ start: Literal) {
    var literal = start
    if let paused = literal.paused {
      literal.bytes += repeatElement(UInt8(ascii: "\n"), count: line - paused)
      literal.paused = nil
    }
    let (quote, backslash, newline) = (UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "\n"))
    while position < bytes.count {
      let byte = bytes[position]
      if byte == quote, count(quote, atMost: literal.quotes) == literal.quotes,
        count(UInt8(ascii: "#"), at: literal.quotes, atMost: literal.hashes) == literal.hashes
      {
        position += literal.quotes + literal.hashes
        passages.append(Passage(place, line: literal.line, bytes: literal.bytes))
        return
      }
      if byte == backslash,
        count(UInt8(ascii: "#"), at: 1, atMost: literal.hashes) == literal.hashes
      {
        let escaped = 1 + literal.hashes
        if stands(UInt8(ascii: "("), at: escaped) {
          literal.bytes.append(Passage.valueByte)
          position += escaped + 1
          literal.paused = line
          modes.append(.literal(literal))
          modes.append(.code(parentheses: 0))
          return
        }
        position += escaped
        // `\n` is a blank; a line that goes on in the next one has its line break after the backslash.
        if stands(newline) {
          literal.bytes.append(newline)
          position += 1
          endLine()
          continue
        } else if stands(UInt8(ascii: "n")) || stands(UInt8(ascii: "t")) {
          literal.bytes.append(0x20)
        } else if position < bytes.count {
          literal.bytes.append(bytes[position])
        }
        position += 1
        continue
      }
      literal.bytes.append(byte)
      position += 1
      if byte == newline { endLine() }
    }
  }

  /// What indents the next line isn't the text's.
  private mutating func endLine() {
    line += 1
    position += count(0x20)
  }

  private mutating func readCode(_ outer: Int) {
    var parentheses = outer
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\n"):
        line += 1
        position += 1
      case UInt8(ascii: "/") where stands(UInt8(ascii: "/"), at: 1):
        readComment()
      case UInt8(ascii: "#") where stands(UInt8(ascii: "/"), at: 1):
        readPattern()
      case UInt8(ascii: "\""), UInt8(ascii: "#"):
        let hashes = count(UInt8(ascii: "#"))
        guard stands(UInt8(ascii: "\""), at: hashes) else {
          position += hashes
          continue
        }
        let quotes = count(UInt8(ascii: "\""), at: hashes, atMost: 3)
        position += hashes + (quotes == 3 ? 3 : 1)
        modes.append(.code(parentheses: parentheses))
        modes.append(.literal(Literal(quotes: quotes == 3 ? 3 : 1, hashes: hashes, line: line)))
        return
      case UInt8(ascii: "("):
        parentheses += 1
        position += 1
      case UInt8(ascii: ")"):
        position += 1
        if parentheses == 0, !modes.isEmpty { return }
        parentheses -= 1
      default:
        position += 1
      }
    }
  }

  /// `#/…/#`
  private mutating func readPattern() {
    position += 2
    while position < bytes.count, !(stands(UInt8(ascii: "/")) && stands(UInt8(ascii: "#"), at: 1)) {
      if stands(UInt8(ascii: "\n")) { line += 1 }
      position += 1
    }
    position += 2
  }

  private mutating func readComment() {
    while stands(UInt8(ascii: "/")) { position += 1 }
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
    if let comment, comment.last != line - 1 { endComment() }
    let text = bytes[start..<position]
    if let open = comment {
      comment = (open.first, line, open.bytes + [UInt8(ascii: "\n")] + text)
    } else {
      comment = (line, line, Array(text))
    }
  }

  private mutating func endComment() {
    if let comment { passages.append(Passage(place, .comment, line: comment.first, bytes: comment.bytes)) }
    comment = nil
  }
}
