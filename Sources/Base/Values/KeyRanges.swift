/// Ranges of keys that follow each other, and which together are all keys there are. They are computed when they are asked
/// for: a list of them would take more memory the larger a store is.
package struct KeyRanges: RandomAccessCollection, Sendable {
  private static let mostCount: UInt64 = 1 << 16

  private let lowest: Int64
  private let length: UInt64
  package let endIndex: Int
  package var startIndex: Int { 0 }

  /// Nil where there are too few keys for several ranges.
  /// - Parameters:
  ///   - keys: the lowest and the highest.
  ///   - length: of a range that is worth a thread.
  package init?(of keys: ClosedRange<Int64>, each length: Int64) {
    let distance = UInt64(bitPattern: keys.upperBound &- keys.lowerBound)
    // Keys far apart, as only a damaged or forged store has them, make longer ranges rather than millions.
    self.length = Swift.max(UInt64(length), distance / Self.mostCount + 1)
    let last = distance / self.length
    guard last >= 3 else { return nil }
    (lowest, endIndex) = (keys.lowerBound, Int(last) + 1)
  }

  package subscript(index: Int) -> KeyRange {
    func start(_ index: Int) -> Int64 { lowest &+ Int64(bitPattern: UInt64(index) * length) }
    return KeyRange(
      from: index == 0 ? nil : start(index), upTo: index == endIndex - 1 ? nil : start(index + 1))
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
