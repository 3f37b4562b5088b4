extension Int64 {
  /// The number without its fraction; the nearest there is where it lies beyond all, and 0 for what is no number.
  /// What comes from a store or from people may be any of these, and a plain conversion stops the program.
  package init(clamping number: Double) {
    self = number.isNaN ? 0 : Int64(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
  }

  /// The sum, or the nearest there is: sizes that a store claims may be of any size.
  package func addingClamped(_ other: Int64) -> Int64 {
    let (sum, isTooFar) = addingReportingOverflow(other)
    return isTooFar ? (other < 0 ? .min : .max) : sum
  }
}
