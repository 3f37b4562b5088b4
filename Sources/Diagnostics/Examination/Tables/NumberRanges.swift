/// Entity numbers, few to compare with however many there are: those of a hierarchy are neighbours.
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

  func contains(_ number: Int64) -> Bool { ranges.contains { $0.contains(number) } }

  /// SQL that is true where the expression is one of the numbers, NULL where it is NULL.
  func condition(_ expression: String) -> String {
    guard !ranges.isEmpty else { return "(\(expression) <> \(expression))" }
    let parts = ranges.map { "\(expression) BETWEEN \($0.lowerBound) AND \($0.upperBound)" }
    return "(\(parts.joined(separator: " OR ")))"
  }
}
