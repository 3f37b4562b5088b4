import SQLite
package import StoreModel
import SystemCalls
package import Values

/// Those ranges of a large table's keys that hold what is looked for, as several threads find them. The rows in them are
/// then read again, in order, as those of a small table are. Most searches find something in few ranges: on two
/// cores, a search without a match takes half of the time.
package final class ScreenedRanges {
  /// Whether a range may hold what is looked for.
  package typealias Screen = (KeyRange) throws -> Bool

  private let ranges: KeyRanges
  private let made: PartsInOrder
  private var left: ArraySlice<UInt8> = []
  private var index = 0

  /// Few rows may be of many kilobytes each.
  private static let keysOfRange: Int64 = 512

  /// - Parameters:
  ///   - stores: one for each thread; no other uses them meanwhile.
  ///   - screen: made for each of them.
  /// - Returns: nil where one thread reads the table as fast.
  /// - Throws: `SQLiteError`.
  package init?(
    of table: String, in store: CoreDataStore, by stores: () throws -> [CoreDataStore],
    screen: (CoreDataStore) -> Screen
  ) throws {
    let stores = try stores()
    // Who reads the table in order says what can't be read.
    guard stores.count > 1, let ranges = try? store.keyRanges(of: table, each: Self.keysOfRange) else {
      return nil
    }
    self.ranges = ranges
    made = PartsInOrder(
      parts: ranges.count,
      by: stores.map { store in
        let screen = screen(store)
        return { part, handOver in
          // What can't be read is said when its turn comes.
          let holds = (try? screen(ranges[part])) ?? true
          withUnsafeBytes(of: holds) { _ = handOver($0) }
        }
      }, ahead: 16)
  }

  /// Nil at the end.
  package func next(whileWaiting: () -> Void) throws -> KeyRange? {
    while true {
      while let holds = left.popFirst() {
        index += 1
        if holds != 0 { return ranges[index - 1] }
      }
      // The statements are too short for SQLite to ask.
      let pieces = try made.next {
        try Interruption.check()
        whileWaiting()
      }
      guard let pieces else { return nil }
      left = Array(pieces.joined())[...]
    }
  }
}
