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

  /// Ranges of keys which together are all keys there are, each as long as a thread is worth.
  /// - Parameter keys: the lowest and the highest.
  /// - Returns: nil where there are too few for several.
  package static func ranges(of keys: ClosedRange<Int64>, each length: Int64) -> [KeyRange]? {
    let distance = UInt64(bitPattern: keys.upperBound &- keys.lowerBound)
    // Keys far apart, as only a damaged or forged store has them, make longer ranges rather than millions.
    let length = max(UInt64(length), distance / 4096 + 1)
    guard distance / length >= 3 else { return nil }
    let last = distance / length
    func start(_ index: UInt64) -> Int64 { keys.lowerBound &+ Int64(bitPattern: index * length) }
    return (0...last).map { index in
      KeyRange(from: index == 0 ? nil : start(index), upTo: index == last ? nil : start(index + 1))
    }
  }
}

/// Some of a column's values in its order. Whatever SQLite keeps in a column is in exactly one of several that follow each
/// other, but NULL: in a damaged or forged store a key may be no whole number.
package struct KeyRange: Sendable, Equatable {
  /// The first; nil for no limit.
  package var from: Int64?
  /// The first that is no more in it; nil for no limit.
  package var upTo: Int64?

  /// SQL over the column; empty for all.
  package func condition(_ column: String) -> String {
    [from.map { "\(column) >= \($0)" }, upTo.map { "\(column) < \($0)" }].compactMap(\.self)
      .joined(separator: " AND ")
  }
}
