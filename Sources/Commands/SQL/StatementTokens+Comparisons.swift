/// What a statement compares: one place for the dates and for the values that people write otherwise.
/// https://www.sqlite.org/lang_expr.html
extension StatementTokens {
  /// One value and what it is compared with.
  struct Comparison {
    enum Kind { case equality, order, range, list, cases }
    var kind: Kind
    var left: ClosedRange<Int>
    var others: [ClosedRange<Int>]
    /// Of `IN (SELECT …)`, the parenthesis; there are no others then.
    var subquery: Int?
  }

  private static let equalities: Set = ["=", "==", "<>", "!="]
  private static let orders: Set = ["<", "<=", ">", ">="]
  /// Signs that compare two values; words such as `LIKE` do so too.
  static let comparisonSigns = equalities.union(orders)

  /// What is compared by the operator or by the `CASE` that stands there.
  func comparison(at index: Int) -> Comparison? {
    switch text(index) {
    case let word where Self.equalities.contains(word): pair(.equality, index, index + 1)
    case let word where Self.orders.contains(word): pair(.order, index, index + 1)
    case "is":
      pair(.equality, index, behindIs(index))
    case "between": range(index)
    case "in": list(index)
    case "case": cases(index)
    default: nil
    }
  }

  /// `IS`, `IS NOT`, `IS DISTINCT FROM`, `IS NOT DISTINCT FROM`
  private func behindIs(_ index: Int) -> Int {
    let first = text(index + 1) == "not" ? index + 2 : index + 1
    return text(first) == "distinct" && text(first + 1) == "from" ? first + 2 : first
  }

  private func pair(_ kind: Comparison.Kind, _ index: Int, _ right: Int) -> Comparison? {
    guard !["null", "true", "false"].contains(text(right)) || text(index) != "is",
      let left = operand(endingAt: index - 1), let right = operand(beginningAt: right)
    else { return nil }
    return Comparison(kind: kind, left: left, others: [right])
  }

  private func range(_ index: Int) -> Comparison? {
    guard let left = operand(endingAt: beforeNot(index)), let low = operand(beginningAt: index + 1),
      text(low.upperBound + 1) == "and", let high = operand(beginningAt: low.upperBound + 2)
    else { return nil }
    return Comparison(kind: .range, left: left, others: [low, high])
  }

  private func list(_ index: Int) -> Comparison? {
    guard let left = operand(endingAt: beforeNot(index)), text(index + 1) == "(",
      let close = partner(index + 1), text(index + 2) != "values"
    else { return nil }
    guard !["select", "with"].contains(text(index + 2)) else {
      return Comparison(kind: .list, left: left, others: [], subquery: index + 1)
    }
    return Comparison(kind: .list, left: left, others: list(index + 2, close - 1) ?? [])
  }

  private func cases(_ index: Int) -> Comparison? {
    guard text(index + 1) != "when", let end = partner(index), let left = operand(beginningAt: index + 1),
      text(left.upperBound + 1) == "when"
    else { return nil }
    var values: [ClosedRange<Int>] = []
    var next: Int? = left.upperBound + 1
    while let when = next, let value = operand(beginningAt: when + 1) {
      values.append(value)
      next = first(of: ["when"], from: value.upperBound + 1, to: end - 1)
    }
    return Comparison(kind: .cases, left: left, others: values)
  }

  private func beforeNot(_ index: Int) -> Int { text(index - 1) == "not" ? index - 2 : index - 1 }
}
