/// SQL cut into tokens, without blanks and comments, and what a text that may stop anywhere ends with.
struct SQLTokens {
  struct Token {
    enum Kind {
      /// A name or keyword without quotes.
      case word
      /// A name in quotes.
      case name
      case string, number, parameter, symbol
    }
    var kind: Kind
    var range: Range<String.Index>
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

  let sql: String
  private(set) var all: [Token] = []
  private(set) var tail = Tail.word("")

  private static let pairs: Set = [
    "==", "<=", ">=", "<>", "!=", "<<", ">>", "->", "->>", "||", "&&", "::", "=>", "=<",
  ]

  init(_ sql: String) {
    self.sql = sql
    var lexer = SQLLexer()
    var rest = sql[...]
    while !rest.isEmpty {
      let start = rest.startIndex
      let piece = lexer.next(&rest)
      add(piece, start..<rest.startIndex)
    }
    guard let last = all.last, last.range.upperBound == sql.endIndex else {
      if lexer.isInComment { tail = .comment }
      return
    }
    switch last.kind {
    case .word, .number, .parameter: tail = .word(String(sql[last.range]))
    case .name where lexer.open != nil:
      let begun = Self.content(sql[last.range], isOpen: true)
      tail = sql[last.range].hasPrefix("\"") ? .name(begun) : .word(begun)
    case .string where lexer.open != nil: tail = .string(Self.content(sql[last.range], isOpen: true))
    case .name, .string, .symbol: break
    }
  }

  private mutating func add(_ piece: SQLLexer.Piece, _ range: Range<String.Index>) {
    let text = sql[range]
    // What belongs to the token before, without a blank between.
    let last = all.last.flatMap { $0.range.upperBound == range.lowerBound ? $0 : nil }
    let before = last.map { sql[$0.range] } ?? ""
    func isDigit(_ byte: UInt8?) -> Bool { byte.map { (0x30...0x39).contains($0) } ?? false }
    var kind: Token.Kind
    switch piece {
    case .blank, .comment: return
    case .remark:
      if range.upperBound == sql.endIndex { tail = .comment }
      return
    case .word where last?.kind == .symbol && (before == ":" || before == "@") || before == "?":
      return extend(.parameter, range)
    case .word where last?.kind == .number: return extend(.number, range)
    case .word:
      kind = isDigit(text.utf8.first) ? .number : text.hasPrefix("$") ? .parameter : .word
    case .quoted(let quote):
      // x'00'
      if last?.kind == .word, before.lowercased() == "x" { return extend(.string, range) }
      kind = quote == UInt8(ascii: "'") ? .string : .name
    case .symbol where last?.kind == .symbol && Self.pairs.contains(String(before + text)):
      return extend(.symbol, range)
    case .symbol where last?.kind == .number && Self.isPart(text, of: before): return extend(.number, range)
    case .symbol:
      let isFraction =
        text == "." && last?.kind != .word && last?.kind != .name
        && isDigit(sql[range.upperBound...].utf8.first)
      kind = isFraction ? .number : text == "?" ? .parameter : .symbol
    }
    all.append(Token(kind: kind, range: range))
  }

  private mutating func extend(_ kind: Token.Kind, _ range: Range<String.Index>) {
    let start = all[all.count - 1].range.lowerBound
    all[all.count - 1] = Token(kind: kind, range: start..<range.upperBound)
  }

  /// `1.5`, `1e-3`
  private static func isPart(_ symbol: Substring, of number: Substring) -> Bool {
    if symbol == "." { return !number.utf8.contains(UInt8(ascii: ".")) }
    guard ["+", "-"].contains(symbol), let last = number.utf8.last else { return false }
    return last | 0x20 == UInt8(ascii: "e") && !number.hasPrefix("0x")
  }

  // MARK: - Texts

  func kind(_ index: Int) -> Token.Kind? { all.indices.contains(index) ? all[index].kind : nil }

  /// As they are written.
  func source(_ range: ClosedRange<Int>) -> Substring {
    sql[all[range.lowerBound].range.lowerBound..<all[range.upperBound].range.upperBound]
  }

  /// A word or symbol in lower case; empty for anything else, and outside of the statement.
  func text(_ index: Int) -> String {
    guard let kind = kind(index), kind == .word || kind == .symbol else { return "" }
    return sql[all[index].range].lowercased()
  }

  /// As the name of a table or column, without quotes; nil for what can't be one.
  func name(_ index: Int) -> String? {
    switch kind(index) {
    case .word: String(sql[all[index].range])
    case .name: Self.content(sql[all[index].range], isOpen: false)
    default: nil
    }
  }

  func isName(_ index: Int) -> Bool { kind(index) == .name || kind(index) == .word && !isKeyword(index) }

  func isKeyword(_ index: Int) -> Bool { SQLWords.isKeyword.contains(text(index).uppercased()) }

  private static func content(_ text: Substring, isOpen: Bool) -> String {
    let inside = String(text.dropFirst().dropLast(isOpen ? 0 : 1))
    guard let quote = text.first, quote != "[" else { return inside }
    return inside.replacing("\(quote)\(quote)", with: "\(quote)")
  }

  // MARK: - Statements

  /// Whether a value ends there, so that a sign behind it is an operator.
  func endsValue(_ index: Int) -> Bool {
    switch kind(index) {
    case .name, .string, .number, .parameter: true
    case .word: !isKeyword(index) || ["end", "null", "asc", "desc", "nocase"].contains(text(index))
    case .symbol: text(index) == ")"
    case nil: false
    }
  }

  /// Whether something follows the end of a statement.
  var areSeveralStatements: Bool {
    all.indices.dropLast().contains { text($0) == ";" && text($0 + 1) != ";" }
  }

  /// Names with those behind a dot, or with an element's number: `a`, `a.b`, `a[0]`. Without functions.
  var paths: [ClosedRange<Int>] {
    var paths: [ClosedRange<Int>] = []
    var index = 0
    while index < all.count {
      defer { index += 1 }
      guard isName(index), text(index - 1) != "." else { continue }
      var last = index
      while true {
        if text(last + 1) == ".", name(last + 2) != nil {
          last += 2
        } else if isElement(last + 1), all[last].range.upperBound == all[last + 1].range.lowerBound {
          last += 1
        } else {
          break
        }
      }
      if text(last + 1) != "(" { paths.append(index...last) }
      index = last
    }
    return paths
  }

  private func isElement(_ index: Int) -> Bool {
    kind(index) == .name && source(index...index).wholeMatch(of: /\[\d+\]/) != nil
  }

  /// As it is written, without quotes and blanks.
  func path(_ range: ClosedRange<Int>) -> String {
    range.map { isElement($0) ? String(source($0...$0)) : name($0) ?? "." }.joined()
  }

  // MARK: - Tables

  struct Source {
    var table: String
    /// What the statement calls it.
    var name: String
  }

  /// The tables that are named behind FROM and JOIN.
  func sources(to end: Int? = nil) -> [Source] {
    (0..<(end ?? all.count)).compactMap { index in
      guard let first = name(index), expectsTable(index) else { return nil }
      let isQualified = text(index + 1) == "."
      let last = isQualified ? index + 2 : index
      let table = isQualified ? name(last) ?? first : first
      let next = text(last + 1) == "as" ? last + 2 : last + 1
      let alias = isName(next) && next < end ?? all.count ? name(next) : nil
      return Source(table: table, name: alias ?? table)
    }
  }

  /// Nobody's list of tables is longer.
  private static let longestList = 64

  /// Whether a table's name stands there: behind FROM and JOIN, and behind a comma in what follows FROM.
  func expectsTable(_ index: Int) -> Bool {
    if ["from", "join"].contains(text(index - 1)) { return true }
    guard text(index - 1) == "," else { return false }
    var depth = 0
    for place in stride(from: index - 1, through: max(0, index - Self.longestList), by: -1) {
      let text = text(place)
      if text == ")" { depth += 1 }
      if text == "(" {
        depth -= 1
        if depth < 0 { return false }
      }
      if depth == 0, SQLWords.clauses.contains(text.uppercased()) { return text == "from" }
    }
    return false
  }
}
