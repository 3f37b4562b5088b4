/// SQL cut into tokens as far as completion needs it: the end of a text that may stop anywhere.
/// https://www.sqlite.org/lang_keywords.html tells how names are quoted.
struct SQLTokens {
  enum Token: Equatable {
    /// A name or keyword without quotes.
    case word(String)
    /// A name in quotes, without them.
    case name(String)
    /// A string or a number.
    case literal
    case symbol(Character)
  }

  /// What the text ends with.
  enum Tail: Equatable {
    /// The beginning of a name or keyword; empty behind a blank or a symbol.
    case word(String)
    /// A name whose `"` is open.
    case name(String)
    /// A string whose `'` is open.
    case string(String)
    case comment
  }

  /// Those before the tail.
  private(set) var tokens: [Token] = []
  private(set) var tail = Tail.word("")

  /// Nobody types more; what is pasted beyond it is not looked at.
  private static let longestText = 1 << 16

  init(_ text: String) { tail = read(text) }

  /// - Returns: the tail.
  private mutating func read(_ text: String) -> Tail {
    var rest = Array(text.suffix(Self.longestText))[...]
    while let first = rest.first {
      if first.isWhitespace {
        rest = rest.dropFirst()
      } else if rest.starts(with: "--") {
        guard let end = rest.firstIndex(where: \.isNewline) else { return .comment }
        rest = rest[end...]
      } else if rest.starts(with: "/*") {
        guard let end = Self.end(ofComment: rest) else { return .comment }
        rest = rest[end...]
      } else if first == "'" || first == "\"" {
        let (content, next) = Self.quoted(rest, first)
        guard let next else { return first == "'" ? .string(content) : .name(content) }
        tokens.append(first == "'" ? .literal : .name(content))
        rest = rest[next...]
      } else if Self.isPartOfName(first) {
        let word = rest.prefix(while: Self.isPartOfName)
        rest = rest[word.endIndex...]
        if rest.isEmpty { return .word(String(word)) }
        tokens.append(first.isNumber ? .literal : .word(String(word)))
      } else {
        tokens.append(.symbol(first))
        rest = rest.dropFirst()
      }
    }
    return .word("")
  }

  static func isPartOfName(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_" || character == "$"
  }

  /// What stands in quotes, a doubled one being one of it, and where it goes on; nil where it doesn't end.
  private static func quoted(_ text: ArraySlice<Character>, _ quote: Character) -> (String, Int?) {
    var content = ""
    var index = text.startIndex + 1
    while index < text.endIndex {
      if text[index] == quote {
        guard index + 1 < text.endIndex, text[index + 1] == quote else { return (content, index + 1) }
        index += 1
      }
      content.append(text[index])
      index += 1
    }
    return (content, nil)
  }

  private static func end(ofComment text: ArraySlice<Character>) -> Int? {
    var index = text.startIndex + 2
    while index + 1 < text.endIndex {
      if text[index] == "*", text[index + 1] == "/" { return index + 2 }
      index += 1
    }
    return nil
  }
}

extension SQLTokens.Token {
  /// In capitals; nil for what is no keyword by its form.
  var keyword: String? {
    guard case .word(let word) = self else { return nil }
    return word.uppercased()
  }

  /// As the name of a table or column.
  var name: String? {
    switch self {
    case .word(let word): word
    case .name(let name): name
    case .literal, .symbol: nil
    }
  }
}
