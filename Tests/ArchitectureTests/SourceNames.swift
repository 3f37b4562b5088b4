/// The names of types that a Swift file declares for others and that it uses, read off its text: code alone, without
/// comments and without what stands in strings, but for what is interpolated there.
struct SourceNames {
  /// Types at the top of the file that aren't private to it.
  private(set) var declared: Set<String> = []
  /// Every word in the code that begins with a capital.
  private(set) var used: Set<String> = []

  private enum Mode {
    /// With so many open parentheses; the end of an interpolation is one more that closes.
    case code(parentheses: Int)
    /// In a string with so many quotation marks.
    case text(quotes: Int)
  }

  private let bytes: [UInt8]
  private var position = 0
  private var modes = [Mode.code(parentheses: 0)]
  private var braces = 0
  private var isPrivate = false
  private var declares = false

  init(_ source: String) {
    bytes = Array(source.utf8)
    while position < bytes.count {
      switch modes.last {
      case .text(let quotes): readText(quotes)
      case .code(let parentheses): readCode(parentheses)
      case nil: return
      }
    }
  }

  private func stands(_ text: StaticString, at offset: Int = 0) -> Bool {
    let start = position + offset
    guard start + text.utf8CodeUnitCount <= bytes.count else { return false }
    return (0..<text.utf8CodeUnitCount).allSatisfy { bytes[start + $0] == text.utf8Start[$0] }
  }

  private mutating func readText(_ quotes: Int) {
    if stands("\\(") {
      modes.append(.code(parentheses: 0))
      position += 2
    } else if stands("\\") {
      position += 2
    } else if quotes == 1 ? stands("\"") : stands("\"\"\"") {
      modes.removeLast()
      position += quotes
    } else {
      position += 1
    }
  }

  private mutating func readCode(_ parentheses: Int) {
    let byte = bytes[position]
    switch byte {
    case _ where stands("//"):
      while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
      return
    case _ where stands("/*"):
      while position < bytes.count, !stands("*/") { position += 1 }
    case UInt8(ascii: "\""):
      let quotes = stands("\"\"\"") ? 3 : 1
      modes.append(.text(quotes: quotes))
      position += quotes
      return
    case UInt8(ascii: "("): modes[modes.count - 1] = .code(parentheses: parentheses + 1)
    case UInt8(ascii: ")"):
      if parentheses == 0, modes.count > 1 {
        modes.removeLast()
      } else {
        modes[modes.count - 1] = .code(parentheses: parentheses - 1)
      }
    case UInt8(ascii: "{"): braces += 1
    case UInt8(ascii: "}"): braces -= 1
    case _ where Self.isLetter(byte):
      let start = position
      while position < bytes.count, Self.isLetter(bytes[position]) || Self.isDigit(bytes[position]) {
        position += 1
      }
      add(String(decoding: bytes[start..<position], as: UTF8.self))
      return
    default: break
    }
    position += 1
  }

  private mutating func add(_ word: String) {
    if word.first?.isUppercase == true { used.insert(word) }
    guard braces == 0 else { return }
    if declares {
      if !isPrivate { declared.insert(word) }
      declares = false
      isPrivate = false
    } else if ["struct", "class", "enum", "protocol", "actor", "typealias"].contains(word) {
      declares = true
    } else if ["private", "fileprivate"].contains(word) {
      isPrivate = true
    } else if ["func", "let", "var", "extension", "import"].contains(word) {
      isPrivate = false
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || byte >= 0x80 || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
