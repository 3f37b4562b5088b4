/// Entity numbers as a condition in SQL: those of a hierarchy are neighbours, so that it stays short however many there
/// are.
struct NumberRanges {
  private var ranges: [ClosedRange<Int64>] = []

  init(_ numbers: some Sequence<Int64>) {
    for number in Set(numbers).sorted() {
      if let last = ranges.last, last.upperBound &+ 1 == number {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
  }

  /// True where the expression is one of the numbers, NULL where it is NULL.
  func condition(_ expression: String) -> String {
    guard !ranges.isEmpty else { return "(\(expression) <> \(expression))" }
    let parts = ranges.map { "\(expression) BETWEEN \($0.lowerBound) AND \($0.upperBound)" }
    return "(\(parts.joined(separator: " OR ")))"
  }
}
