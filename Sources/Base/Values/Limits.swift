import Synchronization

/// Names are repeated for each row that bears them, so a name of megabytes would make gigabytes of output. Core Data's own
/// names end far below the limit.
package enum LongName {
  /// In bytes of UTF-8.
  package static let limit = 1000

  package static func isTooLong(_ name: String) -> Bool { name.utf8.count > limit }

  /// The name, or its beginning and its length if it is too long to be one.
  package static func cut(_ utf8: UnsafeRawBufferPointer) -> String {
    guard utf8.count > limit else { return String(decoding: utf8, as: UTF8.self) }
    // A character that is cut in two would show as a replacement character.
    let start = String(decoding: utf8.prefix(100), as: UTF8.self).prefix(80)
    return "\(start)… (\(utf8.count) bytes)"
  }

  package static func cut(_ name: String) -> String {
    guard isTooLong(name) else { return name }
    var name = name
    return name.withUTF8 { cut(UnsafeRawBufferPointer($0)) }
  }
}

/// Work that no bytes of the store stand for: what packed data unpacks to beyond any usual ratio, holes of sparse files,
/// and a file that is named again and again. A few kilobytes can ask for hours of it, so one command does so much and no
/// more.
package enum Amplification {
  /// In bytes; some seconds' work.
  package static let limit = 1 << 30
  private static let spent = Atomic<Int>(0)

  /// A command begins.
  package static func reset() { spent.store(0, ordering: .relaxed) }

  /// Whether there is anything left.
  package static var isExhausted: Bool { spent.load(ordering: .relaxed) >= limit }

  package static func spend(_ bytes: Int) {
    if bytes > 0 { spent.wrappingAdd(bytes, ordering: .relaxed) }
  }
}

extension Dictionary {
  /// Of several pairs with one key, the first counts.
  package init(firstOf pairs: some Sequence<(Key, Value)>) { self.init(pairs) { first, _ in first } }
}

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
