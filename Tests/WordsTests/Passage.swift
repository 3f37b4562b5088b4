/// A text with the place it comes from, as words and punctuation.
struct Passage {
  enum Kind { case text, comment }

  /// A file's path or a page's name.
  let place: String
  let kind: Kind
  let words: [Word]

  /// One word, one mark of punctuation, or one of the two below.
  struct Word {
    /// In lower case; as it is where it's a name: `ALL_CAPS`, `camelCase`.
    let text: String
    let line: Int
  }

  /// Where a sentence begins, or a list's entry.
  static let beginning = "^"
  /// An interpolated value.
  static let value = "…"
  /// The byte that stands for one in what `init` gets: it occurs in no source.
  static let valueByte: UInt8 = 0

  /// - Parameter line: that of the first byte.
  init(_ place: String, _ kind: Kind = .text, line: Int = 1, bytes: some Sequence<UInt8>) {
    self.place = place
    self.kind = kind
    let words = Array(bytes).withUnsafeBufferPointer { Self.words($0, line) }
    self.words = words
  }

  init(_ place: String, text: String) { self.init(place, bytes: text.utf8) }

  private static func words(_ bytes: UnsafeBufferPointer<UInt8>, _ first: Int) -> [Word] {
    var (words, line, position) = ([Word(text: beginning, line: first)], first, 0)
    var (lineBreaks, blanks) = (0, 0)
    func add(_ text: String) { words.append(Word(text: text, line: line)) }
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\n"):
        line += 1
        (lineBreaks, blanks) = (lineBreaks + 1, 0)
        // An empty line ends a sentence, with or without a full stop.
        if lineBreaks == 2 { add(beginning) }
        position += 1
        continue
      case UInt8(ascii: " "):
        blanks += 1
        // Indented, or in the next column.
        if blanks == 2 { add(beginning) }
        position += 1
        continue
      case UInt8(ascii: "`"):
        // Code, unless nothing closes it on the line.
        var end = position + 1
        while end < bytes.count, bytes[end] != byte, bytes[end] != UInt8(ascii: "\n") { end += 1 }
        add("`")
        position = end < bytes.count && bytes[end] == byte ? end + 1 : position + 1
      case valueByte:
        add(value)
        position += 1
      case _ where isLetter(byte):
        let start = position
        while position < bytes.count, isLetter(bytes[position]) || isJoint(bytes, position) { position += 1 }
        add(word(UnsafeBufferPointer(rebasing: bytes[start..<position])))
      default:
        add(String(UnicodeScalar(byte)))
        position += 1
        let ends = [".", "!", "?", ":", ";"].contains(words[words.count - 1].text)
        if ends, position == bytes.count || bytes[position] == 0x20 || bytes[position] == 0x0A {
          add(beginning)
        }
      }
      (lineBreaks, blanks) = (0, 0)
    }
    return words
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte == 0x5F || byte >= 0x80 || byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26
  }

  /// An apostrophe or a hyphen within a word.
  private static func isJoint(_ bytes: UnsafeBufferPointer<UInt8>, _ position: Int) -> Bool {
    (bytes[position] == UInt8(ascii: "'") || bytes[position] == UInt8(ascii: "-"))
      && position + 1 < bytes.count
      && isLetter(bytes[position + 1])
  }

  private static func word(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    let isName = bytes.dropFirst().contains { $0 == 0x5F || $0 &- 0x41 < 26 }
    return isName ? text : text.lowercased().replacing("’", with: "'")
  }
}
