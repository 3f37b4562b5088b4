/// One word, literal or sign of a predicate, and its place.
struct PredicateToken: Equatable {
  enum Kind: Equatable {
    /// A name or keyword as typed, or `@count`; `isQuoted` if it is no keyword, by `#` in front of it.
    case word(String, isQuoted: Bool)
    /// `$name`
    case variable(String)
    case literal(PredicateTree.Form)
    case sign(String)
    case end
  }

  let kind: Kind
  let offset: Int
}

/// Takes a predicate apart into its tokens.
struct PredicateScanner {
  private let text: [Unicode.Scalar]
  private var index = 0
  /// Of `index`, in UTF-8.
  private var offset = 0

  /// - Throws: `PredicateMistake` for what is no token.
  static func tokens(of text: String) throws -> [PredicateToken] {
    var scanner = PredicateScanner(text: Array(text.unicodeScalars))
    var tokens = [try scanner.next()]
    while tokens.last?.kind != .end { tokens.append(try scanner.next()) }
    return tokens
  }

  private init(text: [Unicode.Scalar]) { self.text = text }

  private func peek(_ ahead: Int = 0) -> Unicode.Scalar? {
    index + ahead < text.count ? text[index + ahead] : nil
  }

  private mutating func advance() {
    offset += UTF8.width(text[index])
    index += 1
  }

  private mutating func take(while isTaken: (Unicode.Scalar) -> Bool) -> String {
    var taken = String.UnicodeScalarView()
    while let scalar = peek(), isTaken(scalar) {
      taken.append(scalar)
      advance()
    }
    return String(taken)
  }

  private static func begins(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isXIDStart
  }
  private static func continues(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isXIDContinue }
  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  /// Longer ones first.
  private static let signs = [
    "==", "=<", "=>", "!=", "<>", "<=", ">=", "&&", "||", "**", "=", "<", ">", "!", "(", ")", "{", "}", "[",
    "]", ",", ".", ":", "+", "-", "*", "/",
  ].map { (text: $0, scalars: Array($0.unicodeScalars)) }

  private mutating func next() throws -> PredicateToken {
    _ = take { $0.properties.isWhitespace }
    let start = offset
    func token(_ kind: PredicateToken.Kind) -> PredicateToken { .init(kind: kind, offset: start) }
    guard let first = peek() else { return token(.end) }
    if Self.begins(first) { return token(.word(take(while: Self.continues), isQuoted: false)) }
    if Self.isDigit(first) || first == "." && peek(1).map(Self.isDigit) == true {
      return token(.literal(try number()))
    }
    if first == "'" || first == "\"" { return token(.literal(.text(try quoted(by: first)))) }
    if ["#", "@", "$"].contains(first), let second = peek(1), Self.begins(second) {
      advance()
      let name = take(while: Self.continues)
      return token(first == "$" ? .variable(name) : .word(first == "@" ? "@" + name : name, isQuoted: true))
    }
    if first == "%", peek(1)?.properties.isAlphabetic == true || peek(1) == "@" {
      throw PredicateMistake(
        "a format argument has its value in code", start,
        "Replace it by the value, or by $NAME with --param NAME=VALUE")
    }
    for sign in Self.signs where sign.scalars.indices.allSatisfy({ peek($0) == sign.scalars[$0] }) {
      sign.scalars.forEach { _ in advance() }
      return token(.sign(sign.text))
    }
    let isQuote = [.initialPunctuation, .finalPunctuation].contains(first.properties.generalCategory)
    throw PredicateMistake("'\(first)' means nothing here", start, isQuote ? "Write straight quotes" : nil)
  }

  private mutating func number() throws -> PredicateTree.Form {
    let start = offset
    var digits = ""
    while let scalar = peek(),
      Self.continues(scalar) || scalar == "." && peek(1).map(Self.isDigit) == true
        || "+-".unicodeScalars.contains(scalar) && "eE".contains(digits.last ?? "-")
          && !digits.hasPrefix("0x")
    {
      digits.unicodeScalars.append(scalar)
      advance()
    }
    let radix = ["0x": 16, "0o": 8, "0b": 2][digits.prefix(2).lowercased()]
    if let value = radix.map({ Int64(digits.dropFirst(2), radix: $0) }) ?? Int64(digits) {
      return .integer(value)
    }
    guard radix == nil, let value = Double(digits.hasPrefix(".") ? "0" + digits : digits), value.isFinite
    else {
      throw PredicateMistake(
        "'\(digits)' isn't a number", start, "A text, a UUID and an object need quotes")
    }
    return .real(value)
  }

  private mutating func quoted(by quote: Unicode.Scalar) throws -> String {
    let start = offset
    advance()
    var result = String.UnicodeScalarView()
    while let scalar = peek() {
      let place = offset
      advance()
      if scalar == quote { return String(result) }
      result.append(scalar == "\\" ? try escaped(at: place) : scalar)
    }
    throw PredicateMistake("this text has no end", start, "Close it with \(quote)")
  }

  private mutating func escaped(at place: Int) throws -> Unicode.Scalar {
    guard let letter = peek() else { throw PredicateMistake("this text has no end", place) }
    if ("0"..."7").contains(letter) { return try coded(3, radix: 8, place) }
    advance()
    switch letter {
    case "\\", "'", "\"": return letter
    case "n": return "\n"
    case "t": return "\t"
    case "r": return "\r"
    case "x": return try coded(2, radix: 16, place)
    case "u": return try coded(4, radix: 16, place)
    default: throw PredicateMistake("'\\\(letter)' is no escape", place, "Write '\\\\\(letter)'")
    }
  }

  private mutating func coded(_ count: Int, radix: Int, _ place: Int) throws -> Unicode.Scalar {
    let digits = text[index...].prefix(count)
    let value = UInt32(String(String.UnicodeScalarView(digits)), radix: radix)
    let isNumber = digits.allSatisfy { Character($0).isHexDigit }
    guard digits.count == count, isNumber, let scalar = value.flatMap(Unicode.Scalar.init) else {
      throw PredicateMistake("an escape has \(count) digits here", place)
    }
    digits.forEach { _ in advance() }
    return scalar
  }
}
