/// Which values of a statement are seconds that arithmetic made of dates: `at + 60`, and whatever the statement calls it.
/// SQLite takes every number for less than every text, so that a written date next to them must become seconds too.
final class DateArithmetic {
  private let tokens: StatementTokens
  private let types: DateTypes
  private enum Answer { case no, unknown, yes }

  private var known: [String: Answer] = [:]
  /// Names that are being looked at, and those that depend on one of them only.
  private var openNames = 0
  private var undecided: [String] = []
  /// Names may be made of each other in a chain of any length.
  private var depth = 0
  private static let deepest = 200

  static let calculations: Set = ["+", "-", "*", "/", "%", "&", "|", "<<", ">>"]
  /// These make a number of what they are given.
  static let calculators: Set = [
    "sum", "avg", "total", "abs", "round", "floor", "ceil", "ceiling", "sign",
  ]

  init(_ tokens: StatementTokens, _ types: DateTypes) { (self.tokens, self.types) = (tokens, types) }

  func isSeconds(_ operand: ClosedRange<Int>) -> Bool { answer(operand) == .yes }

  private func answer(_ operand: ClosedRange<Int>) -> Answer {
    guard depth < Self.deepest else { return .no }
    depth += 1
    defer { depth -= 1 }
    let (first, last) = (operand.lowerBound, operand.upperBound)
    if tokens.isNameChain(operand) { return answer(named: tokens.all[last].text) }
    if tokens.text(first) == "(", tokens.partner(first) == last, first + 1 < last {
      if let select = types.select(in: first) { return ofAll(types.firstColumn(select)) }
      return answer(first + 1...last - 1)
    }
    guard tokens.value(beginningAt: first) == operand else {
      let isCalculated =
        operand.contains { Self.calculations.contains(tokens.text($0)) }
        && !operand.contains { tokens.text($0) == "||" }
      return isCalculated ? madeOfDates(operand) : .no
    }
    if Self.calculators.contains(tokens.text(first)) { return madeOfDates(operand) }
    guard DateTypes.choosers.contains(tokens.text(first)), tokens.text(first + 1) == "(",
      let close = tokens.partner(first + 1), let arguments = tokens.list(first + 2, close - 1)
    else { return .no }
    return ofAny(arguments.lazy.map(answer))
  }

  private func madeOfDates(_ operand: ClosedRange<Int>) -> Answer {
    var answers: [Answer] = []
    var index = operand.lowerBound
    while index <= operand.upperBound {
      defer { index += 1 }
      // What a function makes of a date is a date, or a number of its own: `julianday(at) + 1` counts days.
      if let call = call(at: index), call.upperBound <= operand.upperBound,
        !Self.calculators.contains(tokens.text(index)), !DateTypes.choosers.contains(tokens.text(index))
      {
        answers.append(types.kind(call).isDate ? .yes : .no)
        index = call.upperBound
      } else if tokens.isName(index) {
        answers.append(types.kind(index...index).isDate ? .yes : answer(named: tokens.all[index].text))
      }
    }
    return ofAny(answers)
  }

  private func call(at index: Int) -> ClosedRange<Int>? {
    guard [.name, .word].contains(tokens.kind(index)), tokens.text(index + 1) == "(",
      let close = tokens.partner(index + 1), tokens.value(beginningAt: index) == index...close
    else { return nil }
    return index...close
  }

  private func answer(named name: String) -> Answer {
    if let known = known[name] { return known }
    // Where a view has such a column, that is meant.
    guard let values = types.definitions[name], !types.isOtherColumn(name) else { return .no }
    // One that is made of itself, as in a recursive query, adds nothing.
    known[name] = .unknown
    openNames += 1
    let answer = values.contains { $0 == nil } ? .no : ofAll(values.compactMap { $0 })
    openNames -= 1
    known[name] = answer
    if answer == .unknown { undecided.append(name) }
    guard openNames == 0 else { return answer }
    // What depends on a name that was still being looked at is asked again.
    for name in undecided { known[name] = nil }
    undecided = []
    if answer == .unknown { known[name] = .no }
    return answer
  }

  /// All that are known, and at least one.
  private func ofAll(_ values: [ClosedRange<Int>]) -> Answer {
    var result = Answer.unknown
    for value in values {
      switch answer(value) {
      case .no: return .no
      case .yes: result = .yes
      case .unknown: break
      }
    }
    return result
  }

  private func ofAny(_ answers: some Sequence<Answer>) -> Answer {
    var result = Answer.no
    for answer in answers where answer != .no {
      result = answer
      if answer == .yes { break }
    }
    return result
  }
}
