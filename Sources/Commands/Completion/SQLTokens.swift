/// SQL cut into tokens as far as completion needs it: the end of a text that may stop anywhere.
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

  init(_ text: String) {
    var lexer = SQLLexer()
    var rest = text.suffix(Self.longestText)
    while !rest.isEmpty {
      let before = rest
      let piece = lexer.next(&rest)
      let text = before[..<rest.startIndex]
      switch piece {
      case .blank: break
      case .comment: if lexer.isInComment { tail = .comment }
      case .remark: if rest.isEmpty { tail = .comment }
      case .symbol(let byte): tokens.append(.symbol(Character(UnicodeScalar(byte))))
      case .word where rest.isEmpty: tail = .word(String(text))
      case .word: tokens.append(text.first?.isNumber ?? false ? .literal : .word(String(text)))
      case .quoted(let quote): take(text, in: quote, isOpen: lexer.open != nil)
      }
    }
  }

  private mutating func take(_ text: Substring, in quote: UInt8, isOpen: Bool) {
    let quote = Character(UnicodeScalar(quote))
    let inside = String(text.unicodeScalars.dropFirst().dropLast(isOpen ? 0 : 1))
    let content =
      quote == "["
      ? inside
      : inside.split(separator: "\(quote)\(quote)", omittingEmptySubsequences: false)
        .joined(separator: String(quote))
    switch (quote, isOpen) {
    case ("'", true): tail = .string(content)
    case ("'", false): tokens.append(.literal)
    case ("\"", true): tail = .name(content)
    // Names are offered in SQL's own quotes only.
    case (_, true):
      tokens.append(.symbol(quote))
      tail = .word(content)
    case (_, false): tokens.append(.name(content))
    }
  }

  static func isPartOfName(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_" || character == "$"
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
