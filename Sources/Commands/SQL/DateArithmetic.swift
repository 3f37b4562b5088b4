/// Which values of a statement are seconds that arithmetic made of dates: `at + 60`, and whatever the statement calls it.
/// SQLite takes every number for less than every text, so that a written date next to them must become seconds too.
final class DateArithmetic {
  private let tokens: StatementTokens
  private let types: DateTypes
  private var known: [String: Bool] = [:]
  /// Names may be made of each other in a chain of any length.
  private var depth = 0
  private static let deepest = 200

  static let calculations: Set = ["+", "-", "*", "/", "%", "&", "|", "<<", ">>"]
  /// These make a number of what they are given.
  static let calculators: Set = [
    "sum", "avg", "total", "abs", "round", "floor", "ceil", "ceiling", "sign",
  ]

  init(_ tokens: StatementTokens, _ types: DateTypes) { (self.tokens, self.types) = (tokens, types) }

  func isSeconds(_ operand: ClosedRange<Int>) -> Bool {
    guard depth < Self.deepest else { return false }
    depth += 1
    defer { depth -= 1 }
    let (first, last) = (operand.lowerBound, operand.upperBound)
    if types.isNameChain(operand) { return isSeconds(named: tokens.all[last].text) }
    if tokens.text(first) == "(", tokens.partner(first) == last, first + 1 < last {
      if let select = types.select(in: first) { return areSeconds(types.firstColumn(select)) }
      return isSeconds(first + 1...last - 1)
    }
    guard tokens.value(beginningAt: first) == operand else {
      return operand.contains { Self.calculations.contains(tokens.text($0)) }
        && !operand.contains { tokens.text($0) == "||" } && isMadeOfDates(operand)
    }
    if Self.calculators.contains(tokens.text(first)) { return isMadeOfDates(operand) }
    guard DateTypes.choosers.contains(tokens.text(first)), tokens.text(first + 1) == "(",
      let close = tokens.partner(first + 1), let arguments = tokens.list(first + 2, close - 1)
    else { return false }
    return arguments.contains(where: isSeconds)
  }

  private func isMadeOfDates(_ operand: ClosedRange<Int>) -> Bool {
    operand.contains { index in
      tokens.isName(index) && (types.kind(index...index).isDate || isSeconds(named: tokens.all[index].text))
    }
  }

  private func isSeconds(named name: String) -> Bool {
    if let known = known[name] { return known }
    guard let values = types.definitions[name] else { return false }
    // One that is made of itself, as in a recursive query, adds nothing.
    known[name] = true
    let isSeconds = values.allSatisfy { $0 != nil } && areSeconds(values.compactMap { $0 })
    known[name] = isSeconds
    return isSeconds
  }

  private func areSeconds(_ values: [ClosedRange<Int>]) -> Bool {
    !values.isEmpty && values.allSatisfy(isSeconds)
  }
}
