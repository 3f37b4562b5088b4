import Lens
import SQLite
import StoreModel
import Values

/// What people write in SQL out of habit: NSPredicate's operators and the words of other databases; and how each is
/// written here.
/// https://developer.apple.com/library/archive/documentation/Cocoa/Conceptual/Predicates/Articles/pSyntax.html
struct SQLHabits {
  let tokens: StatementTokens
  /// People don't type longer SQL.
  static let longest = 100_000

  /// A clause about the first habit in SQL that SQLite couldn't compile; nil if there is none.
  static func clause(about error: SQLiteError, in sql: String) -> String? {
    guard error.primaryCode == 1, !error.isLimit, sql.utf8.count < longest else { return nil }
    if let word = sql.wholeMatch(of: /\s*([.\\]\w+).*/.dotMatchesNewlines())?.1 {
      return "'\(word)' is a command, not SQL: leave out 'query'"
    }
    let habits = SQLHabits(tokens: StatementTokens(sql))
    for index in habits.tokens.all.indices {
      if let clause = habits.clause(at: index) { return clause }
    }
    return habits.unquoted(error) ?? habits.incomplete(error) ?? habits.keyword(error)
  }

  /// Refuses what SQLite runs in another sense than anybody means.
  static func check(_ tokens: StatementTokens) throws {
    let habits = SQLHabits(tokens: tokens)
    for index in tokens.all.indices {
      guard
        let clause = habits.missedNull(at: index) ?? habits.missedOr(at: index)
          ?? habits.missedYear(at: index)
      else { continue }
      throw SQLiteError(refusal: clause)
    }
  }

  /// Refuses a quote that nobody closes: SQLite takes all that follows for a text.
  static func checkQuotes(_ sql: String) throws {
    var lexer = SQLLexer()
    var rest = sql[...]
    var start = rest.startIndex
    while !rest.isEmpty {
      start = rest.startIndex
      _ = lexer.next(&rest)
    }
    guard case .quoted(let quote)? = lexer.open else { return }
    let mark = String(UnicodeScalar(quote))
    let behind = sql[start...].dropFirst().prefix(20).prefix { !$0.isNewline }
    let place = sql.distance(from: sql.startIndex, to: start) + 1
    let advice = quote == UInt8(ascii: "'") ? "; a quote within a text is written twice: 'O''Brien'" : ""
    let before = behind.isEmpty ? "at the end" : "before '\(behind)'"
    throw SQLiteError(
      refusal: "the quote \(mark) \(before) (character \(place)) isn't closed\(advice)", sql: sql,
      offset: sql.utf8.distance(from: sql.startIndex, to: start))
  }

  // MARK: - NSPredicate

  private static let operators: Set = ["contains", "beginswith", "endswith"]
  private static let quantifiers: Set = ["any", "some", "none"]
  private static let relativeDays: Set = ["today", "yesterday", "tomorrow"]

  private func clause(at index: Int) -> String? {
    let word = tokens.text(index)
    let next = behindModifiers(index)
    switch word {
    case "=" where [">", "<"].contains(tokens.text(index + 1)):
      let meant = tokens.text(index + 1) + "="
      return
        "=\(tokens.text(index + 1)) isn't SQL: write \(left(index)) \(meant) \(source(index + 2).isEmpty ? "1" : source(index + 2))"
    case _ where word.first.map({ "“„‘‚".contains($0) }) == true:
      return "\(word.prefix(1)) isn't a quote in SQL: a text is written in straight single quotes"
    case _ where Self.operators.contains(word) && tokens.endsValue(index - 1):
      return "\(word.uppercased()) isn't SQL: write \(like(word, index, next))"
    case "matches" where tokens.endsValue(index - 1):
      return
        "MATCHES isn't SQL, and there are no regular expressions: write \(left(index)) LIKE \(quotedText(text(next).flatMap { Self.pattern("^\($0)$") } ?? "S%")), where % is any text and _ any character"
    case "like" where next > index + 1:
      return
        "LIKE takes no \(source(index + 1)): write \(like(word, index, next)); it ignores the case of A to Z"
    case "=", "==", "!=", "<>", "is":
      if next > index + 1, let value = text(next) {
        return
          "\(source(index + 1)) isn't SQL: write \(left(index)) \(word) \(quotedText(value)) COLLATE NOCASE"
      }
      return truth(index)
    case "&" where tokens.text(index + 1) == "&": return "&& isn't SQL: write AND"
    case "!" where tokens.text(index + 1) != "=": return "! isn't SQL: write NOT"
    case "{": return "a list is written in parentheses: IN (1, 2), and a range as BETWEEN 1 AND 2"
    case "self" where tokens.text(index + 1) == ".": return "SELF isn't SQL: leave out 'SELF.'"
    case "@" where tokens.kind(index + 1) == .name:
      return "a text is written in single quotes: \(quotedText(text(index + 1) ?? ""))"
    case "%" where tokens.text(index + 1) == "@" && !tokens.endsValue(index - 1):
      return "%@ isn't SQL: write the value itself, a text in single quotes"
    case _ where Self.quantifiers.contains(word) && tokens.isName(index + 1) && tokens.text(index + 2) == ".":
      return
        "\(word.uppercased()) isn't SQL: join the view of the to-many relationship, as in pk IN (SELECT source FROM ENTITY_RELATIONSHIP WHERE target = 1); 'storescope query STORE --views' lists those views"
    case "." where tokens.all.indices.contains(index + 1) && source(index + 1).hasPrefix("@"):
      return
        "\(source(index + 1)) isn't SQL: count the rows of the relationship's view, as in (SELECT COUNT(*) FROM ENTITY_RELATIONSHIP WHERE source = pk)"
    case "now" where tokens.text(index + 1) == "(":
      return interval(behind: index + 3) ?? "now() isn't SQL here: write 'now', in quotes"
    case "date", "timestamp", "time":
      guard tokens.kind(index + 1) == .string, let value = text(index + 1) else { return nil }
      return "omit \(word.uppercased()) before a date: write \(quotedText(value))"
    case "interval" where tokens.kind(index + 1) == .string:
      return "INTERVAL isn't SQL here: write datetime(startDate, '-1 day'), or datetime('now', '-1 day')"
    case "ilike" where tokens.endsValue(index - 1):
      return
        "ILIKE isn't SQL here: write \(left(index)) LIKE \(source(index + 1)), which ignores the case of A to Z"
    case "~", "regexp", "rlike", "similar":
      guard tokens.endsValue(index - 1) else { return nil }
      let pattern = text(next).flatMap(Self.pattern)
      return
        "there are no regular expressions: write \(left(index)) LIKE \(quotedText(pattern ?? "S%")), where % is any text, or \(left(index)) GLOB '[A-M]*'"
    case ":" where source(index + 1).hasPrefix(":"):
      return "a cast is written CAST(\(left(index)) AS TEXT)"
    case _ where tokens.text(index + 1) == "(" && tokens.kind(index) == .word:
      return ForeignFunction.replacement(at: index, tokens).map {
        "\(word.uppercased()) isn't a function here: write \($0)"
      }
    case "now" where isOperand(index): return "write 'now' in quotes"
    case _ where Self.relativeDays.contains(word) && isOperand(index):
      return "write \(DateOrder.relativeDay(word) ?? "a date in quotes")"
    default: return nil
    }
  }

  /// What a plain regular expression is for LIKE; nil for one that asks for more.
  static func pattern(_ expression: String) -> String? {
    var inner = expression[...]
    let (isStart, isEnd) = (inner.first == "^", inner.last == "$")
    if isStart { inner = inner.dropFirst() }
    if isEnd { inner = inner.dropLast() }
    let any = inner.replacing(".*", with: "%").replacing(".", with: "_")
    guard any.allSatisfy({ $0.isLetter || $0.isNumber || " %_-,:".contains($0) }), !any.isEmpty else {
      return nil
    }
    let start = isStart || any.hasPrefix("%") ? "" : "%"
    return start + any + (isEnd || any.hasSuffix("%") ? "" : "%")
  }

  /// `- interval '1 day'` behind now()
  private func interval(behind index: Int) -> String? {
    guard ["-", "+"].contains(tokens.text(index)), tokens.text(index + 1) == "interval" else { return nil }
    let value = text(index + 2) ?? source(index + 2) + " " + source(index + 3)
    return "INTERVAL isn't SQL here: write datetime('now', '\(tokens.text(index))\(value)')"
  }

  /// Whether a bare word stands where a value does.
  private func isOperand(_ index: Int) -> Bool {
    tokens.kind(index) == .word && ![".", "("].contains(tokens.text(index + 1))
      && tokens.text(index - 1) != "."
      && StatementTokens.comparisonSigns.union(["and", "between"]).contains(tokens.text(index - 1))
  }

  /// Where the operator's right side begins: behind `[cd]`.
  private func behindModifiers(_ index: Int) -> Int {
    guard tokens.kind(index + 1) == .name, source(index + 1).hasPrefix("["),
      let letters = tokens.all.indices.contains(index + 1) ? tokens.all[index + 1].text : nil,
      letters.allSatisfy({ "cdlnw".contains($0) })
    else { return index + 1 }
    return index + 2
  }

  func source(_ index: Int) -> String {
    tokens.all.indices.contains(index) ? String(tokens.source(index...index)) : ""
  }

  private func left(_ index: Int) -> String {
    tokens.operand(endingAt: index - 1).map { String(tokens.source($0)) } ?? "title"
  }

  /// The text that stands there, in quotes of either kind.
  func text(_ index: Int) -> String? {
    guard tokens.kind(index) == .string || tokens.kind(index) == .name else { return nil }
    let quoted = source(index)
    guard let quote = quoted.first, quote == "'" || quote == "\"", quoted.count > 1 else { return nil }
    return String(quoted.dropFirst().dropLast()).replacing("\(quote)\(quote)", with: "\(quote)")
  }

  /// For LIKE what the other words ask for, with what stands behind it where the text has LIKE's own signs in it.
  static func likePattern(_ word: String, _ value: String) -> (text: String, escape: String) {
    if word.uppercased() == "LIKE" {
      return (value.replacing("*", with: "%").replacing("?", with: "_"), "")
    }
    let isLiteral = value.contains { "%_".contains($0) }
    let part = isLiteral ? value.replacing(/[%_^]/) { "^\($0.0)" } : value
    let text =
      switch word.uppercased() {
      case "BEGINSWITH": "\(part)%"
      case "ENDSWITH": "%\(part)"
      default: "%\(part)%"
      }
    return (text, isLiteral ? " ESCAPE '^'" : "")
  }

  private func like(_ word: String, _ index: Int, _ right: Int) -> String {
    let value = text(right) ?? "text"
    let left = left(index)
    let pattern = Self.likePattern(word, value)
    return "\(left) LIKE \(quotedText(pattern.text))\(pattern.escape)"
  }

  /// `= YES`, `== nil`
  private func truth(_ index: Int) -> String? {
    let word = tokens.text(index + 1)
    guard ["yes", "no", "nil"].contains(word), ![".", "("].contains(tokens.text(index + 2)) else {
      return nil
    }
    let isEqual = ["=", "==", "is"].contains(tokens.text(index))
    let typed = source(index + 1)
    if word == "nil" { return "\(typed) isn't SQL: write \(left(index)) IS \(isEqual ? "" : "NOT ")NULL" }
    return
      "\(typed) isn't SQL: Booleans are 1 and 0, so write \(left(index)) \(tokens.text(index)) \(word == "yes" ? 1 : 0)"
  }

  // MARK: - What runs and means something else

  /// `= NULL` is never true, and neither is `<> NULL`.
  private func missedNull(at index: Int) -> String? {
    let word = tokens.text(index)
    guard ["=", "==", "!=", "<>"].contains(word), let comparison = tokens.comparison(at: index),
      let other = comparison.others.first, comparison.others.count == 1, other.count == 1,
      tokens.text(other.lowerBound) == "null"
    else { return nil }
    let left = tokens.source(comparison.left)
    return
      "\(left) \(word) NULL is never true: write \(left) IS \(["=", "=="].contains(word) ? "" : "NOT ")NULL"
  }

  /// `current_date - 30`, which counts from the number of the year.
  private func missedYear(at index: Int) -> String? {
    let units = ["current_date": ("date", "day"), "current_timestamp": ("datetime", "second")]
    let sign = tokens.text(index + 1)
    guard let (function, unit) = units[tokens.text(index)], ["+", "-"].contains(sign),
      tokens.kind(index + 2) == .number
    else { return nil }
    let isWhole = tokens.operand(beginningAt: index + 2)?.count == 1
    let number = isWhole ? source(index + 2) : "1"
    return
      "\(tokens.source(index...index + 2)) is arithmetic with the year, as in 2026 \(sign) \(number): write \(function)('now', '\(sign)\(number) \(unit)\(number == "1" ? "" : "s")')"
  }

  /// `a = 1 || b = 2` joins the 1 and b to a text.
  private func missedOr(at index: Int) -> String? {
    let comparisons = StatementTokens.comparisonSigns.union(["like", "is", "in"])
    guard tokens.text(index) == "||", let left = tokens.operand(endingAt: index - 1),
      let right = tokens.value(beginningAt: index + 1),
      comparisons.contains(tokens.text(left.lowerBound - 1)),
      comparisons.contains(tokens.text(right.upperBound + 1))
    else { return nil }
    return "|| joins strings in SQL, so this doesn't compare what it seems to: write OR"
  }
}
