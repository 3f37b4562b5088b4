import Lens
import SQLite
import StoreModel

/// SQL in which dates keep their order.
///
/// A date column of a view is compared by time (`DateOrder`). What SQLite computes from one isn't: `MAX(timestamp)`,
/// `COALESCE(ended, started)`, `CASE`, a subquery used as a value; nor is a date column if a text column stands on the left of
/// it (https://www.sqlite.org/datatype3.html#collating_sequences). The answer would be wrong without a word. So the dates
/// that such a value is compared with get the order by name, which changes nothing about other texts, and a number that
/// it is compared with gets a guard that refuses dates.
///
/// This reads tokens and knows no grammar. What is added therefore must be harmless if the value isn't a date.
struct DateComparisons {
  private struct Token {
    enum Kind { case word, name, string, number, parameter, symbol }
    var kind: Kind
    /// In lower case; of a name or a string without its quotes; the name of a parameter.
    var text: String
    var range: Range<String.Index>
  }

  private let sql: String
  private let parameters: [String: String]
  /// In lower case.
  private let dates: Set<String>
  private var tokens: [Token] = []
  private var additions: [(at: String.Index, text: String)] = []
  /// What the statement calls values that may be dates and have no order: `MAX(timestamp) AS last`.
  private var aliases: Set<String> = []

  private static let comparisons: Set = ["=", "==", "<", "<=", ">", ">=", "<>", "!=", "is", "between"]
  /// These give one of their arguments.
  private static let choosers: Set = [
    "max", "min", "coalesce", "ifnull", "iif", "nullif", "lag", "lead", "first_value", "last_value",
    "nth_value",
  ]

  /// The statement that `connection` has just compiled, with what it needs added; nil if it needs nothing.
  /// `parameters` are the values of parameters by name.
  static func ordered(
    _ sql: String, _ parameters: [String: String] = [:], in store: CoreDataStore
  ) -> String? {
    guard store.connection.lastStatementCalls(DateOrder.function), sql.utf8.count < 1 << 16 else {
      return nil
    }
    var comparisons = DateComparisons(sql, parameters, DateOrder.columns(of: store))
    return comparisons.rewritten()
  }

  private init(_ sql: String, _ parameters: [String: String], _ dates: Set<String>) {
    (self.sql, self.parameters, self.dates) = (sql, parameters, Set(dates.map { $0.lowercased() }))
    tokens = Self.tokens(sql)
  }

  private mutating func rewritten() -> String? {
    findAliases()
    for index in tokens.indices {
      order(index)
      guardNumber(index)
      orderList(index)
    }
    guard !additions.isEmpty else { return nil }
    var result = ""
    var start = sql.startIndex
    for addition in additions.sorted(by: { $0.at < $1.at }) {
      result += sql[start..<addition.at] + addition.text
      start = addition.at
    }
    return result + sql[start...]
  }

  // MARK: - Dates

  /// Adds the order to a date that is one side of a comparison.
  private mutating func order(_ index: Int) {
    let (first, last): (Int, Int)
    switch tokens[index].kind {
    case .string where DateOrder.isDate(tokens[index].text): (first, last) = (index, index)
    case .parameter where isDateParameter(index): (first, last) = (index, index)
    case .word where ["datetime", "date"].contains(tokens[index].text) && text(index + 1) == "(":
      guard let end = closing(index + 1) else { return }
      (first, last) = (index, end)
    case .word, .name:
      guard dates.contains(tokens[index].text), !["(", "."].contains(text(index + 1)) else { return }
      // On the left its own order holds.
      guard isRightSide(beginning(index)) else { return }
      (first, last) = (index, index)
    default: return
    }
    let behind = text(last + 1)
    guard behind != "collate",
      isRightSide(beginning(first)) || Self.comparisons.contains(behind) || behind == "in"
        || (behind == "not" && ["in", "between"].contains(text(last + 2)))
    else { return }
    add(" COLLATE \(DateOrder.name)", behind: last)
  }

  /// A column that is compared with a number may have an index, which the order by name would keep SQLite from using.
  private func isDateParameter(_ index: Int) -> Bool {
    guard let value = parameters[tokens[index].text], DateOrder.isDate(value) else { return false }
    return Double(value) == nil || ([")", "end"] + aliases).contains(text(index - 2))
      || (["(", "case"] + Self.choosers + aliases).contains(text(index + 2))
  }

  private func isRightSide(_ index: Int) -> Bool {
    let word = text(index - 1)
    return Self.comparisons.contains(word) || word == "when"
      || (word == "not" && text(index - 2) == "is")
      || (word == "from" && text(index - 2) == "distinct")
      || (word == "and" && between(index - 1) != nil)
  }

  /// `… IN ('2026-03-22')` takes the order of what is on its left.
  private mutating func orderList(_ index: Int) {
    guard tokens[index].kind == .word, tokens[index].text == "in", text(index + 1) == "(",
      index + 2 < tokens.count
    else { return }
    let element = tokens[index + 2]
    let isDate =
      element.kind == .string
      ? DateOrder.isDate(element.text) : element.kind == .parameter && isDateParameter(index + 2)
    let left = text(index - 1) == "not" ? index - 2 : index - 1
    guard isDate, left >= 0, !(left > 0 && text(left - 1) == "collate"), tokens[left].kind != .string else {
      return
    }
    add(" COLLATE \(DateOrder.name)", behind: left)
  }

  // MARK: - Numbers

  private mutating func guardNumber(_ index: Int) {
    guard tokens[index].kind == .number, text(index - 1) != "." else { return }
    var before = index - 1
    if ["-", "+"].contains(text(before)) { before -= 1 }
    if text(before) == "and", let between = between(before) { before = between }
    if Self.comparisons.contains(text(before)) {
      guardValue(endingAt: text(before - 1) == "not" ? before - 2 : before - 1)
    }
    var after = index + 1
    if text(after) == "." { after += 2 }
    if Self.comparisons.contains(text(after)) { guardValue(beginningAt: after + 1) }
  }

  /// The BETWEEN that goes on with this AND. Its lower bound may be long, but rarely is.
  private func between(_ and: Int) -> Int? {
    guard let start = (max(0, and - 16)..<and).last(where: { text($0) == "between" }),
      !(start + 1..<and).contains(where: { text($0) == "and" })
    else { return nil }
    return start
  }

  private mutating func guardValue(endingAt last: Int) {
    guard last >= 0 else { return }
    if text(last) != "end", isName(last) {
      if aliases.contains(tokens[last].text) { refuseDates(beginning(last), last) }
    } else if let first = valueBeginning(endingAt: last), first != last {
      refuseDates(first, last)
    }
  }

  private mutating func guardValue(beginningAt first: Int) {
    guard first < tokens.count else { return }
    if text(first + 1) == "(" || text(first) == "(" {
      guard let end = closing(text(first) == "(" ? first : first + 1), valueBeginning(endingAt: end) == first
      else { return }
      refuseDates(first, end)
    } else if text(first) == "case" {
      if let end = caseEnd(first), valueBeginning(endingAt: end) == first { refuseDates(first, end) }
    } else {
      var last = first
      while text(last + 1) == "." { last += 2 }
      if last < tokens.count, isName(last), aliases.contains(tokens[last].text) { refuseDates(first, last) }
    }
  }

  private mutating func refuseDates(_ first: Int, _ last: Int) {
    let call = "\(DateOrder.guardName)("
    // Both bounds of a BETWEEN come here.
    guard !additions.contains(where: { $0.at == tokens[first].range.lowerBound && $0.text == call }) else {
      return
    }
    additions.append((tokens[first].range.lowerBound, call))
    add(")", behind: last)
  }

  // MARK: - Values without an order

  /// Where the value begins that ends here, if it may be a date: `MAX(timestamp)`, `(SELECT timestamp …)`, `CASE … END`.
  private func valueBeginning(endingAt last: Int) -> Int? {
    if text(last) == "end" {
      guard let first = (0..<last).last(where: { caseEnd($0) == last }) else { return nil }
      return hasDate(first..<last) ? first : nil
    }
    guard text(last) == ")", let open = opening(last), hasDate(open..<last) else { return nil }
    let word = text(open - 1)
    if Self.choosers.contains(word) { return open - 1 }
    if word == "over", text(open - 2) == ")", let inner = opening(open - 2),
      Self.choosers.contains(text(inner - 1))
    {
      return inner - 1
    }
    guard text(open + 1) == "select" else { return nil }
    let result = text(open + 2) == "distinct" ? open + 3 : open + 2
    // What isn't a date, such as COUNT(*), keeps its affinity.
    var name = result
    while text(name + 1) == "." { name += 2 }
    return Self.choosers.contains(text(result)) || (isName(name) && isDateName(name)) ? open : nil
  }

  private mutating func findAliases() {
    // A name may be made of names found before.
    for index in tokens.indices.dropFirst() where isName(index) {
      let last = text(index - 1) == "as" ? index - 2 : index - 1
      if last >= 0, [")", "end"].contains(text(last)), valueBeginning(endingAt: last) != nil {
        aliases.insert(tokens[index].text)
      }
    }
  }

  private func hasDate(_ range: Range<Int>) -> Bool { range.contains(where: isDateName) }

  private func isDateName(_ index: Int) -> Bool {
    isName(index) && text(index + 1) != "("
      && (dates.contains(tokens[index].text) || aliases.contains(tokens[index].text))
  }

  // MARK: - Tokens

  private func isName(_ index: Int) -> Bool {
    tokens.indices.contains(index) && [.word, .name].contains(tokens[index].kind)
  }

  /// A word's or symbol's text; empty for anything else, and outside of the statement.
  private func text(_ index: Int) -> String {
    guard tokens.indices.contains(index), [.word, .symbol].contains(tokens[index].kind) else { return "" }
    return tokens[index].text
  }

  /// Where `a.b` begins.
  private func beginning(_ index: Int) -> Int {
    var first = index
    while first >= 2, text(first - 1) == ".", isName(first - 2) { first -= 2 }
    return first
  }

  private func closing(_ open: Int) -> Int? {
    var depth = 0
    for index in tokens.indices[open...] {
      if text(index) == "(" { depth += 1 }
      if text(index) == ")" { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }

  private func opening(_ close: Int) -> Int? {
    var depth = 0
    for index in (0...close).reversed() {
      if text(index) == ")" { depth += 1 }
      if text(index) == "(" { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }

  private func caseEnd(_ first: Int) -> Int? {
    guard text(first) == "case" else { return nil }
    var depth = 0
    for index in tokens.indices[first...] {
      if text(index) == "case" { depth += 1 }
      if text(index) == "end" { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }

  private mutating func add(_ text: String, behind index: Int) {
    additions.append((tokens[index].range.upperBound, text))
  }

  private static func tokens(_ sql: String) -> [Token] {
    var tokens: [Token] = []
    var lexer = SQLLexer()
    var rest = sql[...]
    while !rest.isEmpty {
      let start = rest.startIndex
      let piece = lexer.next(&rest)
      let range = start..<rest.startIndex
      let text = sql[range]
      switch piece {
      case .blank, .comment, .remark: break
      case .word:
        if let last = tokens.last, last.range.upperBound == start, [":", "@", "?"].contains(last.text) {
          tokens[tokens.count - 1] = Token(
            kind: .parameter, text: String(text), range: last.range.lowerBound..<range.upperBound)
        } else {
          let first = text.utf8.first ?? 0
          let kind: Token.Kind =
            (48...57).contains(first) ? .number : first == UInt8(ascii: "$") ? .parameter : .word
          let name = kind == .parameter ? String(text.dropFirst()) : text.lowercased()
          tokens.append(Token(kind: kind, text: name, range: range))
        }
      case .quoted(let quote):
        let kind: Token.Kind = quote == UInt8(ascii: "'") ? .string : .name
        tokens.append(Token(kind: kind, text: text.dropFirst().dropLast().lowercased(), range: range))
      case .symbol:
        if let last = tokens.last, last.range.upperBound == start, last.kind == .symbol,
          ["==", "<=", ">=", "<>", "!=", "<<", ">>", "->", "->>", "||"].contains(last.text + text)
        {
          tokens[tokens.count - 1].text += text
          tokens[tokens.count - 1].range = last.range.lowerBound..<range.upperBound
        } else {
          tokens.append(Token(kind: text == "?" ? .parameter : .symbol, text: String(text), range: range))
        }
      }
    }
    return tokens
  }
}
