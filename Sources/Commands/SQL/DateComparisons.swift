import Lens
import SQLite
import StoreModel
import Values

/// SQL in which dates keep their order.
///
/// A date column of a view is compared by time (`DateOrder`). What SQLite computes from one isn't: `MAX(timestamp)`,
/// `COALESCE(ended, started)`, `CASE`, a subquery used as a value; nor is a date column if a text column stands on the left of
/// it (https://www.sqlite.org/datatype3.html#collating_sequences), and arithmetic takes the year for a date. The answer
/// would be wrong without a word.
///
/// So what is a date for certain gets the type and the order that a date column has, with all that it is compared with.
/// What may be one gets a lenient order and a guard that refuses numbers. Both leave other values what they are.
struct DateComparisons {
  private typealias Operand = ClosedRange<Int>

  private struct Addition {
    var operand: Operand
    var before: String
    var behind: String
  }

  private let tokens: StatementTokens
  private let types: DateTypes
  private let parameters: [String: String]
  private var additions: [Addition] = []
  private let arithmetic: DateArithmetic

  /// A statement that reads dates, with what they need added; nil if they need nothing. `parameters` are the values of
  /// parameters by name.
  static func ordered(
    _ tokens: StatementTokens, _ parameters: [String: String] = [:], in store: CoreDataStore
  ) -> String? {
    var comparisons = DateComparisons(
      tokens: tokens, types: DateTypes(tokens, in: store), parameters: parameters)
    for index in tokens.all.indices { comparisons.look(at: index) }
    return comparisons.additions.isEmpty ? nil : comparisons.rewritten
  }

  private init(tokens: StatementTokens, types: DateTypes, parameters: [String: String]) {
    (self.tokens, self.types, self.parameters) = (tokens, types, parameters)
    arithmetic = DateArithmetic(tokens, types)
  }

  private var rewritten: String {
    var before: [Int: [Addition]] = [:]
    var behind: [Int: [Addition]] = [:]
    for addition in additions {
      before[addition.operand.lowerBound, default: []].append(addition)
      behind[addition.operand.upperBound, default: []].append(addition)
    }
    var result = ""
    var start = tokens.sql.startIndex
    for (index, token) in tokens.all.enumerated() where before[index] != nil || behind[index] != nil {
      result += tokens.sql[start..<token.range.lowerBound]
      // What is around others begins before them and ends behind them; of the same operand, what came first is inside.
      let outerFirst = (before[index] ?? []).enumerated().sorted {
        ($0.element.operand.upperBound, $0.offset) > ($1.element.operand.upperBound, $1.offset)
      }
      let innerFirst = (behind[index] ?? []).enumerated().sorted {
        ($1.element.operand.lowerBound, $0.offset) < ($0.element.operand.lowerBound, $1.offset)
      }
      for addition in outerFirst { result += addition.element.before }
      result += tokens.sql[token.range]
      for addition in innerFirst { result += addition.element.behind }
      start = token.range.upperBound
    }
    return result + tokens.sql[start...]
  }

  private mutating func add(_ before: String, _ operand: Operand, _ behind: String) {
    // The middle of `a - b - c` belongs to both.
    if let last = additions.last, last.operand == operand, last.before == before { return }
    additions.append(Addition(operand: operand, before: before, behind: behind))
  }

  // MARK: - Places

  private mutating func look(at index: Int) {
    if let comparison = tokens.comparison(at: index) {
      if let select = comparison.subquery.flatMap(types.select) {
        return compare(comparison.left, types.firstColumn(select), .subquery)
      }
      return compare(comparison.left, comparison.others, comparison.kind == .list ? .list : .value)
    }
    switch tokens.text(index) {
    case let word where Self.dateFunctions.contains(word) && tokens.text(index + 1) == "(": readDate(index)
    case "max" where tokens.text(index + 1) == "(", "min" where tokens.text(index + 1) == "(":
      let arguments = tokens.partner(index + 1).flatMap { tokens.list(index + 2, $0 - 1) } ?? []
      if arguments.count > 1, isPlain(arguments) {
        guardNumbers(arguments[0], Array(arguments.dropFirst()), .chosen)
      }
    case let word where DateArithmetic.calculations.contains(word): calculate(index)
    case let word where DateArithmetic.calculators.contains(word) && tokens.text(index + 1) == "(":
      let first = ["distinct", "all"].contains(tokens.text(index + 2)) ? index + 3 : index + 2
      if let end = tokens.partner(index + 1), let list = tokens.list(first, end - 1), let value = list.first {
        makeSeconds([value])
      }
    case "cast" where tokens.text(index + 1) == "(":
      guard let end = tokens.partner(index + 1),
        let type = tokens.first(of: ["as"], from: index + 2, to: end),
        index + 2 < type, !["text", "blob"].contains(tokens.text(type + 1))
      else { return }
      makeSeconds([index + 2...type - 1])
    default: break
    }
  }

  private static let dateFunctions: Set = ["date", "datetime", "time", "julianday", "unixepoch", "strftime"]
  private static let unitModifiers: Set = ["unixepoch", "auto", "julianday"]

  /// `date(startDate + 86400)`: SQLite would take the seconds for days since 4714 B.C.
  private mutating func readDate(_ index: Int) {
    guard let close = tokens.partner(index + 1), let arguments = tokens.list(index + 2, close - 1) else {
      return
    }
    let place = tokens.text(index) == "strftime" ? 1 : 0
    guard arguments.indices.contains(place), arithmetic.isSeconds(arguments[place]),
      !arguments[(place + 1)...].contains(where: {
        tokens.kind($0.lowerBound) != .string
          || Self.unitModifiers.contains(tokens.all[$0.lowerBound].text.lowercased())
      })
    else { return }
    // What lies between two dates has a time of day at most.
    let dates = arguments[place].count { tokens.isName($0) && types.kind($0...$0).isDate }
    guard dates < 2 || ["time", "strftime"].contains(tokens.text(index)) else { return }
    add("\(DateOrder.function)(", arguments[place], ")")
  }

  /// `julianday(…)` counts days, not seconds since 2001, and so does `julianday(…) - 30`.
  private func isJulianDay(_ operand: Operand) -> Bool {
    guard tokens.text(operand.lowerBound) == "julianday", let end = tokens.partner(operand.lowerBound + 1),
      end <= operand.upperBound
    else { return false }
    return (end...operand.upperBound).dropFirst().allSatisfy {
      tokens.kind($0) == .number || DateArithmetic.calculations.contains(tokens.text($0))
    }
  }

  /// A day's number as a written date.
  private static let written = "strftime('%Y-%m-%d %H:%M:%f', "

  private mutating func addSeconds(ofDay operand: Operand) {
    add("\(DateOrder.secondsName)(\(Self.written)", operand, "))")
  }

  // MARK: - Comparisons

  private enum Place { case value, list, subquery, chosen }

  /// Explicit orders are the user's, and a row value has several values.
  private func isPlain(_ operands: [Operand]) -> Bool {
    operands.allSatisfy { operand in
      if operand.contains(where: { tokens.text($0) == "collate" }),
        let value = tokens.value(beginningAt: operand.lowerBound),
        tokens.text(value.upperBound - 1) == "collate"
      {
        return false
      }
      guard tokens.text(operand.lowerBound) == "(", types.select(in: operand.lowerBound) == nil,
        let close = tokens.partner(operand.lowerBound)
      else { return true }
      return tokens.list(operand.lowerBound + 1, close - 1)?.count == 1
    }
  }

  private mutating func compare(_ left: Operand, _ others: [Operand], _ place: Place) {
    guard !others.isEmpty, isPlain([left] + others) else { return }
    let all = [left] + others
    let hasSeconds = all.contains(where: arithmetic.isSeconds)
    if hasSeconds {
      for operand in all where isText(operand) == true { add("\(DateOrder.secondsName)(", operand, ")") }
    }
    let kinds = others.map(types.kind)
    let leftKind = types.kind(left)
    let hasDates = leftKind.isDate || kinds.contains(where: \.isDate)
    for operand in all where isJulianDay(operand) {
      if hasDates {
        add(Self.written, operand, ")")
      } else if hasSeconds {
        addSeconds(ofDay: operand)
      }
    }
    if leftKind == .always || kinds.contains(.always) {
      order(left, leftKind, others, kinds, place)
    } else if leftKind == .maybe || leftKind == .spelled || kinds.contains(.maybe) || kinds.contains(.spelled)
    {
      guardNumbers(left, others, place)
    }
  }

  /// What is compared with a date is one, or a number that counts as its seconds, or is refused.
  private mutating func order(
    _ left: Operand, _ leftKind: DateTypes.Kind, _ others: [Operand], _ kinds: [DateTypes.Kind],
    _ place: Place
  ) {
    let isColumn = types.isColumn(left)
    // An `IN` looks at the order and the type of its left side only.
    if !isColumn, !(place == .value && isLiteral(left) && others.allSatisfy(types.isColumn)) {
      let order = " COLLATE \(DateOrder.name)"
      if tokens.kind(left.lowerBound) == .string, left.count == 1 {
        add("", left, order)
      } else {
        add("CAST(", left, " AS TEXT)" + order)
      }
    }
    for (operand, kind) in zip(others, kinds)
    where kind != .always && !isLiteral(operand) && !types.isColumn(operand) {
      add("CAST(", operand, " AS TEXT)")
    }
  }

  private mutating func guardNumbers(_ left: Operand, _ others: [Operand], _ place: Place) {
    let kinds = others.map(types.kind)
    guard isDate(left) || kinds.contains(where: \.isDate) else { return }
    // A column with a name that is a date's elsewhere has its own order; it may have an index too.
    func isOwn(_ operand: Operand) -> Bool { types.isColumn(operand) }
    if place == .value, ([left] + others).allSatisfy({ isOwn($0) || isLiteral($0) }) { return }
    let texts = others.filter { isText($0) != nil }
    if texts.count == others.count, place != .chosen, !texts.contains(where: { isText($0) == true }) {
      return
    }
    // A column that is none may have an index, which a function around it would keep SQLite from using.
    let isRight = place == .value && others.count == 1 && !isDate(left) && kinds[0].isDate
    let (guarded, compared) = isRight ? (others[0], [left]) : (left, others)
    let numbers =
      place == .subquery
      ? [] : compared.filter { isText($0) == nil && !isParameter($0) && !isOtherColumn($0) }
    let list = numbers.prefix(100).map { ", " + tokens.source($0) }.joined()
    // Of several arguments, the first has the order.
    let isStrict = ([left] + others).contains { [.always, .spelled].contains(types.kind($0)) }
    let order = " COLLATE \(isStrict ? DateOrder.name : DateOrder.lenientName)"
    if list.isEmpty {
      add("", guarded, tokens.value(beginningAt: guarded.lowerBound) == guarded ? order : "")
    } else {
      add("\(DateOrder.guardName)(", guarded, "\(list))\(order)")
    }
  }

  /// A column that is no date for certain: numbers of it aren't looked at, for the sake of its index.
  private func isOtherColumn(_ operand: Operand) -> Bool {
    tokens.isNameChain(operand) && types.kind(operand) == .never
  }

  private func isLiteral(_ operand: Operand) -> Bool {
    let last = operand.upperBound
    guard operand.count == 1 || operand.count == 2 && StatementTokens.signs.contains(tokens.text(last - 1))
    else {
      return false
    }
    return [.string, .number, .parameter].contains(tokens.kind(last)) || tokens.text(last) == "null"
  }

  private func isParameter(_ operand: Operand) -> Bool {
    operand.contains { tokens.kind($0) == .parameter && tokens.all[$0].text == "?" }
  }

  /// Whether a text that stands there is a date; nil for what isn't a text.
  private func isText(_ operand: Operand) -> Bool? {
    guard operand.count == 1 else { return nil }
    let token = tokens.all[operand.lowerBound]
    switch token.kind {
    case .string: return DateOrder.isDate(token.text)
    case .parameter:
      return parameters[token.text].map { Double($0) == nil ? DateOrder.isDate($0) : nil } ?? nil
    default: return nil
    }
  }

  // MARK: - Arithmetic

  private mutating func calculate(_ index: Int) {
    guard let right = tokens.value(beginningAt: index + 1) else { return }
    guard tokens.endsValue(index - 1) else {
      // A sign.
      if tokens.text(index) == "-" { makeSeconds([right]) }
      return
    }
    guard let left = tokens.value(endingAt: index - 1) else { return }
    // `at + 86400 - julianday('now')`: what the last sign has on its left.
    var start = left.lowerBound
    while DateArithmetic.calculations.contains(tokens.text(start - 1)),
      let before = tokens.value(endingAt: start - 2)
    { start = before.lowerBound }
    if start < left.lowerBound, isJulianDay(right), arithmetic.isSeconds(start...left.upperBound) {
      addSeconds(ofDay: right)
    } else {
      makeSeconds([left, right])
    }
  }

  private func isDate(_ operand: Operand) -> Bool { types.kind(operand).isDate }

  /// A date counts as its seconds since 2001, so that a difference is seconds.
  private mutating func makeSeconds(_ operands: [Operand]) {
    let hasDates = operands.contains(where: isDate)
    let isReplaced = hasDates || operands.contains { isText($0) == true }
    let readsDays = hasDates || operands.contains(where: arithmetic.isSeconds)
    for operand in operands where tokens.kind(operand.upperBound) != .number {
      if readsDays, isJulianDay(operand) {
        addSeconds(ofDay: operand)
      } else if isReplaced {
        add("\(DateOrder.secondsName)(", operand, ")")
      }
    }
  }
}
