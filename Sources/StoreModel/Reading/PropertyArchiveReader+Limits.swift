import Archives
import Base

extension PropertyArchiveReader {
  /// The predicates that an attribute's values must fulfill: those that compare with a number, and whether there are others.
  mutating func limits(of object: ArchivedObject) throws(ArchiveError) -> (
    limits: [ValueLimit], hasOthers: Bool
  ) {
    var limits: [ValueLimit] = []
    var hasOthers = false
    for predicate in try elements(of: object["NSValidationPredicates"]) {
      try add(predicate.object, to: &limits, &hasOthers, depth: 0)
    }
    return (limits, hasOthers)
  }

  private mutating func add(
    _ predicate: ArchivedObject?, to limits: inout [ValueLimit], _ hasOthers: inout Bool, depth: Int
  ) throws(ArchiveError) {
    guard let predicate, depth < 8 else {
      hasOthers = true
      return
    }
    // https://developer.apple.com/documentation/foundation/nscompoundpredicate/logicaltype
    let isConjunction = predicate["NSCompoundPredicateType"]?.integer == 1
    if isConjunction {
      for part in try elements(of: predicate["NSSubpredicates"]) {
        try add(part.object, to: &limits, &hasOthers, depth: depth + 1)
      }
    } else if let limit = try limit(predicate) {
      limits.append(limit)
    } else {
      hasOthers = true
    }
  }

  /// `SELF >= 0`, `length <= 50`.
  private mutating func limit(_ predicate: ArchivedObject) throws(ArchiveError) -> ValueLimit? {
    guard let comparison = predicate["NSPredicateOperator"]?.object,
      let sign = comparison["NSOperatorType"]?.integer.flatMap(ValueLimit.Comparison.init),
      let left = predicate["NSLeftExpression"]?.object,
      let constant = predicate["NSRightExpression"]?.object?["NSConstantValue"]
    else { return nil }
    let number: Double
    if let date = constant.date {
      number = date.seconds
    } else if let integer = constant.integer {
      number = Double(integer)
    } else if let real = constant.real, real.isFinite {
      number = real
    } else {
      return nil
    }
    if left.isKind(of: "NSSelfExpression") {
      return ValueLimit(subject: .value, comparison: sign, number: number)
    }
    let arguments = try elements(of: left["NSArguments"])
    let path = left["NSKeyPath"]?.string ?? arguments.first?.object?["NSKeyPath"]?.string
    return path == "length" && arguments.count <= 1
      ? ValueLimit(subject: .length, comparison: sign, number: number) : nil
  }
}
