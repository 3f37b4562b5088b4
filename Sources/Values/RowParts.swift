/// The rows of a large table in numbered parts, which several threads may make at the same time. One part after the other
/// they are all of the rows, in their order.
package struct RowParts {
  /// Pushes the rows of the part with that number.
  package typealias Maker = (_ part: Int, any RowSink) throws -> Void

  package var count: Int
  /// One for each thread, each with a connection of its own.
  package var makers: [Maker]
  /// Called again and again, by the thread that waits for the others.
  package var whileWaiting: () -> Void

  package init(count: Int, makers: [Maker], whileWaiting: @escaping () -> Void = {}) {
    self.count = count
    self.makers = makers
    self.whileWaiting = whileWaiting
  }

  /// Ranges of keys from the first to the last, each as long as a thread is worth.
  /// - Returns: nil where there are too few for several.
  package static func ranges(of keys: ClosedRange<Int64>, each length: Int64) -> [ClosedRange<Int64>]? {
    let distance = UInt64(bitPattern: keys.upperBound &- keys.lowerBound)
    // Keys far apart, as only a damaged or forged store has them, make longer ranges rather than millions.
    let length = max(UInt64(length), distance / 4096 + 1)
    guard distance / length >= 3 else { return nil }
    return (0...distance / length).map { index in
      let first = keys.lowerBound &+ Int64(bitPattern: index * length)
      let rest = distance - index * length
      return first...(rest < length ? keys.upperBound : first &+ Int64(bitPattern: length - 1))
    }
  }
}
