/// What a model demands of an attribute's values, as far as that is a comparison with a number.
/// https://developer.apple.com/documentation/coredata/nspropertydescription/validationpredicates
package struct ValueLimit: Sendable, Hashable {
  package enum Subject: Sendable {
    case value
    /// Of a text, in UTF-16 units.
    case length
  }

  /// Raw values are those of `NSComparisonPredicate.Operator`.
  package enum Comparison: Int64, Sendable {
    case less, atMost, more, atLeast, equal, unequal

    package var sign: String {
      switch self {
      case .less: "<"
      case .atMost: "<="
      case .more: ">"
      case .atLeast: ">="
      case .equal: "="
      case .unequal: "<>"
      }
    }
  }

  package var subject: Subject
  package var comparison: Comparison
  /// Of a date the seconds since 2001.
  package var number: Double

  package init(_ subject: Subject, _ comparison: Comparison, _ number: Double) {
    self.subject = subject
    self.comparison = comparison
    self.number = number
  }

  /// Whole numbers without a fraction.
  package var numberText: String {
    number == number.rounded() && abs(number) < 1e15 ? "\(Int64(number))" : "\(number)"
  }
}
