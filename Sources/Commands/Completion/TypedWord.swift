import Base

/// A word of a line as it was typed: what it means, where it begins, and whether its quotes are still open.
package struct TypedWord: Sendable, Equatable {
  package var text: String
  /// Offset of its first byte in the line, an opening quote included.
  package var start: Int
  /// The quote that is open at the end of the line.
  package var openQuote: Character?
  /// Whether the line ends with a backslash, whose character is still to come.
  package var awaitsCharacter = false

  /// The words of the line, of which the last is the one that is being typed: empty behind a blank.
  ///
  /// Quotes are those of POSIX's shell: nothing is special in single ones, and a backslash takes the meaning from
  /// the next character, within double quotes only from `"`, `\`, `$` and a grave accent.
  /// https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html#tag_19_02
  package static func words(of line: String) -> [TypedWord] {
    var words: [TypedWord] = []
    var word: TypedWord?
    var quote: Unicode.Scalar?
    var isEscaped = false
    var offset = 0
    // A quote with a combining mark on it is a quote all the same.
    for character in line.unicodeScalars {
      defer { offset += UTF8.width(character) }
      if quote == nil, !isEscaped, character.properties.isWhitespace {
        if let word { words.append(word) }
        word = nil
        continue
      }
      var current = word ?? TypedWord(text: "", start: offset)
      defer { word = current }
      if isEscaped {
        if quote == "\"", !["\"", "\\", "$", "`"].contains(character) { current.text.append("\\") }
        current.text.unicodeScalars.append(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if character == quote {
        quote = nil
      } else if quote == nil, character == "\"" || character == "'" {
        quote = character
      } else {
        current.text.unicodeScalars.append(character)
      }
    }
    var last = word ?? TypedWord(text: "", start: offset)
    last.openQuote = quote.map(Character.init)
    last.awaitsCharacter = isEscaped
    return words + [last]
  }

  /// The text in quotes, where it needs any. `openQuote` is a quote that stands before it already, which is repeated.
  package static func quoted(_ text: String, openQuote: Character?, isWhole: Bool) -> String {
    // A function of SQL, whose arguments follow.
    let name = !isWhole && text.hasSuffix("(") ? String(text.dropLast()) : text
    if openQuote == nil, !text.isEmpty, isPlain(name), !text.hasPrefix("~") { return text }
    // In quotes it would be a name like others.
    if openQuote == nil, text.hasPrefix("~/") {
      return "~/" + quoted(String(text.dropFirst(2)), openQuote: nil, isWhole: isWhole)
    }
    let quote = openQuote ?? (text.contains("'") ? "\"" : "'")
    return String(quote) + escaped(text, in: quote) + (isWhole ? String(quote) : "")
  }

  /// The text as it goes on behind a beginning that was typed, in the quote that is open there.
  static func continued(_ text: String, in openQuote: Character?, isWhole: Bool) -> String {
    guard let openQuote else {
      return isPlain(text) ? text : quoted(text, openQuote: nil, isWhole: isWhole)
    }
    return escaped(text, in: openQuote) + (isWhole ? String(openQuote) : "")
  }

  /// The text as it stands within an open quote.
  private static func escaped(_ text: String, in quote: Character) -> String {
    switch quote {
    case "'": ShellQuotes.insideSingle(text)
    case "\"": ShellQuotes.escaping(text) { "\"\\$`".unicodeScalars.contains($0) ? "\\\($0)" : nil }
    default: text
    }
  }

  private static func isPlain(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { !needsQuotes.contains($0) }
  }

  /// What ends a word or a line, and what has a meaning in one, here or in a shell: what a store says must be quoted, as
  /// behind a pipe it reaches one. https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html#tag_19_02
  private static let needsQuotes = Set(" \t\n'\"\\;#|<>&$`()*?[{!".unicodeScalars)
}
