import Synchronization

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
