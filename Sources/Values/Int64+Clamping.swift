extension Int64 {
  /// The number without its fraction; the nearest there is where it lies beyond all, and 0 for what is no number.
  /// What comes from a store or from people may be any of these, and a plain conversion stops the program.
  package init(clamping number: Double) {
    self = number.isNaN ? 0 : Int64(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
  }
}
