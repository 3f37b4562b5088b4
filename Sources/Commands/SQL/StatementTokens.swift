/// A statement in tokens, and which of them belong together: parentheses, `CASE` and `END`, the operands of an operator.
struct StatementTokens {
  struct Token {
    enum Kind { case word, name, string, number, parameter, symbol }
    var kind: Kind
    /// In lower case; of a name or a string without its quotes; the name of a parameter.
    var text: String
    var range: Range<String.Index>
  }

  let sql: String
  private(set) var all: [Token] = []
  /// The other end of a parenthesis, of `CASE` or of `END`.
  private var partners: [Int: Int] = [:]

  init(_ sql: String) {
    self.sql = sql
    all = Self.tokens(sql)
    var open: [Int] = []
    for index in all.indices {
      switch text(index) {
      case "(", "case": open.append(index)
      case ")":
        while let last = open.popLast() {
          guard text(last) == "(" else { continue }
          (partners[last], partners[index]) = (index, last)
          break
        }
      case "end":
        guard let last = open.last, text(last) == "case" else { continue }
        open.removeLast()
        (partners[last], partners[index]) = (index, last)
      default: break
      }
    }
  }

  /// A word's or symbol's text; empty for anything else, and outside of the statement.
  func text(_ index: Int) -> String {
    guard all.indices.contains(index), [.word, .symbol].contains(all[index].kind) else { return "" }
    return all[index].text
  }

  func kind(_ index: Int) -> Token.Kind? { all.indices.contains(index) ? all[index].kind : nil }

  func partner(_ index: Int) -> Int? { partners[index] }

  func isName(_ index: Int) -> Bool { kind(index) == .name || kind(index) == .word && !isKeyword(index) }

  /// The content of a string, without its quotes; nil for anything else.
  func string(_ index: Int) -> String? {
    kind(index) == .string ? all[index].text.replacing("''", with: "'") : nil
  }

  func count(of symbol: String) -> Int { all.indices.count { text($0) == symbol } }

  /// `name` or `table.name`, whatever it names.
  func isNameChain(_ range: ClosedRange<Int>) -> Bool {
    range.allSatisfy { ($0 - range.lowerBound) % 2 == 0 ? isName($0) : text($0) == "." }
  }

  func source(_ range: ClosedRange<Int>) -> Substring {
    sql[all[range.lowerBound].range.lowerBound..<all[range.upperBound].range.upperBound]
  }

  /// The first day that stands there without quotes, as in `at > 2026-03-25` or `at > 2026/03/25`, and how it is written.
  var unquotedDay: (text: String, day: String, isDivision: Bool)? {
    for index in all.indices.dropLast(4) where kind(index) == .number && ["-", "/"].contains(text(index + 1))
    {
      let text = String(sql[all[index].range.lowerBound..<all[index + 4].range.upperBound])
      let day = text.replacing("/", with: "-")
      guard day.wholeMatch(of: /(19|20|21)\d\d-[01]\d-[0-3]\d/) != nil else { continue }
      return (text, day, day != text)
    }
    return nil
  }

  /// Where a second statement begins with no semicolon before it: its first word, and its line, counted from 0.
  var unendedStatement: (word: String, line: Int)? {
    guard ["select", "values"].contains(text(0)) else { return nil }
    var place = 0
    while let next = first(of: ["select", "with"], from: place + 1) {
      // Behind UNION and its like, the statement goes on.
      guard !endsValue(next - 1) else {
        let line = sql[..<all[next].range.lowerBound].count { $0.isNewline }
        return (String(source(next...next)), line)
      }
      place = next
    }
    return nil
  }

  /// The parts between commas, without what further parentheses hold; nil if one is empty.
  func list(_ first: Int, _ last: Int) -> [ClosedRange<Int>]? {
    guard first <= last else { return [] }
    var parts: [ClosedRange<Int>] = []
    var (start, index) = (first, first)
    while index <= last {
      if text(index) == "," {
        guard start < index else { return nil }
        parts.append(start...index - 1)
        start = index + 1
      }
      index = (partners[index].map { max($0, index) } ?? index) + 1
    }
    guard start <= last else { return nil }
    return parts + [start...last]
  }

  /// The first of these words at the same depth.
  func first(of words: Set<String>, from start: Int, to end: Int? = nil) -> Int? {
    var index = start
    while index <= end ?? all.count - 1 {
      if words.contains(text(index)) { return index }
      if text(index) == ")" { return nil }
      index = (partners[index].map { max($0, index) } ?? index) + 1
    }
    return nil
  }

  // MARK: - Operands
  // https://www.sqlite.org/lang_expr.html#operators_and_parse_affecting_attributes

  static let signs: Set = ["+", "-", "~"]
  /// Those that bind tighter than comparisons.
  private static let inner: Set = ["||", "*", "/", "%", "+", "-", "&", "|", "<<", ">>", "->", "->>"]
  /// Words that are no values, as far as they can stand where one begins or ends.
  private static let keywords: Set = [
    "select", "distinct", "all", "from", "where", "and", "or", "not", "on", "having", "group", "order", "by",
    "when", "then", "else", "case", "end", "limit", "offset", "in", "is", "between", "like", "glob", "match",
    "regexp", "escape", "as", "union", "except", "intersect", "with", "using", "join", "values", "collate",
    "isnull", "notnull",
  ]

  private func isKeyword(_ index: Int) -> Bool { Self.keywords.contains(text(index)) }

  /// Whether a value ends there, so that a sign behind it is an operator.
  func endsValue(_ index: Int) -> Bool {
    switch kind(index) {
    case .name, .string, .number, .parameter: true
    case .word: !isKeyword(index) || text(index) == "end"
    case .symbol: text(index) == ")"
    case nil: false
    }
  }

  /// The value without operators that ends there: a name, a call, what is in parentheses. With signs in front of it.
  func value(endingAt last: Int) -> ClosedRange<Int>? {
    guard endsValue(last) else { return nil }
    if text(last - 1) == "collate" {
      return value(endingAt: last - 2).map { $0.lowerBound...last }
    }
    var first = last
    if let open = partners[last] {
      first = text(last) == ")" ? callBeginning(open) : open
    } else if text(last - 1) == "over", text(last - 2) == ")", let open = partners[last - 2] {
      first = callBeginning(open)
    }
    while first >= 2, text(first - 1) == ".", isName(first - 2) { first -= 2 }
    while Self.signs.contains(text(first - 1)), !endsValue(first - 2) { first -= 1 }
    return first...last
  }

  private func callBeginning(_ open: Int) -> Int {
    if ["over", "filter"].contains(text(open - 1)), text(open - 2) == ")", let before = partners[open - 2] {
      return callBeginning(before)
    }
    return isName(open - 1) ? open - 1 : open
  }

  func value(beginningAt first: Int) -> ClosedRange<Int>? {
    var last = first
    while Self.signs.contains(text(last)) { last += 1 }
    if let end = partners[last] {
      guard end > last else { return nil }
      last = end
    } else {
      guard endsValue(last) else { return nil }
      while text(last + 1) == ".", isName(last + 2) { last += 2 }
      if isName(last), text(last + 1) == "(", let end = partners[last + 1] {
        last = end
        if text(last + 1) == "filter", let end = partners[last + 2] { last = end }
        if text(last + 1) == "over" { last = partners[last + 2] ?? last + 2 }
      }
    }
    while text(last + 1) == "collate" { last += 2 }
    return last < all.count ? first...last : nil
  }

  /// The operand of a comparison, with the operators in it that bind tighter.
  func operand(endingAt last: Int) -> ClosedRange<Int>? {
    guard var range = value(endingAt: last) else { return nil }
    while Self.inner.contains(text(range.lowerBound - 1)),
      let before = value(endingAt: range.lowerBound - 2)
    {
      range = before.lowerBound...last
    }
    return range
  }

  func operand(beginningAt first: Int) -> ClosedRange<Int>? {
    guard var range = value(beginningAt: first) else { return nil }
    while Self.inner.contains(text(range.upperBound + 1)),
      let behind = value(beginningAt: range.upperBound + 2)
    {
      range = first...behind.upperBound
    }
    return range
  }

  // MARK: - Cutting

  private static let pairs: Set = ["==", "<=", ">=", "<>", "!=", "<<", ">>", "->", "->>", "||"]

  private static func tokens(_ sql: String) -> [Token] {
    var tokens: [Token] = []
    var lexer = SQLLexer()
    var rest = sql[...]
    while !rest.isEmpty {
      let start = rest.startIndex
      let piece = lexer.next(&rest)
      let range = start..<rest.startIndex
      let text = String(sql[range])
      // What belongs to the token before, without a blank between.
      let last = tokens.last.flatMap { $0.range.upperBound == start ? $0 : nil }
      func extend(_ kind: Token.Kind, _ text: String) {
        tokens[tokens.count - 1] = Token(
          kind: kind, text: text, range: tokens[tokens.count - 1].range.lowerBound..<range.upperBound)
      }
      switch piece {
      case .blank, .comment, .remark: break
      case .word:
        if let last, last.kind == .symbol, [":", "@"].contains(last.text) {
          extend(.parameter, text)
        } else if let last, last.kind == .parameter, last.text == "?" {
          extend(.parameter, text)
        } else if let last, last.kind == .number {
          extend(.number, last.text + text.lowercased())
        } else {
          let first = text.utf8.first ?? 0
          let kind: Token.Kind =
            (0x30...0x39).contains(first) ? .number : first == UInt8(ascii: "$") ? .parameter : .word
          tokens.append(
            Token(
              kind: kind, text: kind == .parameter ? String(text.dropFirst()) : text.lowercased(),
              range: range)
          )
        }
      case .quoted(let quote):
        if last?.kind == .word, last?.text == "x" {
          // x'00'
          extend(.string, text)
          continue
        }
        let kind: Token.Kind = quote == UInt8(ascii: "'") ? .string : .name
        let inside = text.dropFirst().dropLast()
        tokens.append(
          Token(kind: kind, text: kind == .name ? inside.lowercased() : String(inside), range: range))
      case .symbol:
        if let last, last.kind == .symbol, pairs.contains(last.text + text) {
          extend(.symbol, last.text + text)
        } else if let last, last.kind == .number, isPart(text, of: last.text) {
          extend(.number, last.text + text)
        } else if text == ".", last?.kind != .word, last?.kind != .name,
          rest.utf8.first.map({ (0x30...0x39).contains($0) }) == true
        {
          tokens.append(Token(kind: .number, text: text, range: range))
        } else {
          tokens.append(Token(kind: text == "?" ? .parameter : .symbol, text: text, range: range))
        }
      }
    }
    return tokens
  }

  /// `1.5`, `1e-3`
  private static func isPart(_ symbol: String, of number: String) -> Bool {
    if symbol == "." { return !number.contains(".") }
    return ["+", "-"].contains(symbol) && number.hasSuffix("e") && !number.hasPrefix("0x")
  }
}
