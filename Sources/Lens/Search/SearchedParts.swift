import SQLite
import StoreModel
import SystemCalls
import Values

/// A large table in ranges of keys, of which several threads find those that hold what is searched for; they are then
/// searched once more, in order, as a small table is. What most searches look for is in few of them: on two cores,
/// one that finds nothing takes half of the time.
final class SearchedParts {
  private let ranges: [KeyRange]
  private let made: PartsInOrder
  private var left: ArraySlice<UInt8> = []
  private var index = 0

  /// Fewer rows may be of many kilobytes each.
  private static let keysOfPart: Int64 = 512

  /// - Parameters:
  ///   - stores: one for each thread; no other uses them meanwhile.
  ///   - matcher: makes one for each of them.
  /// - Returns: nil where a part would be as large as the whole.
  init?(
    _ table: SearchedTable, in store: CoreDataStore, _ stores: () throws -> [CoreDataStore],
    matcher: @escaping (CoreDataStore) -> ValueMatcher
  ) throws {
    guard let ranges = try store.keyRanges(of: table.name, each: Self.keysOfPart) else { return nil }
    let stores = try stores()
    guard stores.count > 1 else { return nil }
    self.ranges = ranges
    made = PartsInOrder(
      parts: ranges.count,
      by: stores.map { store in
        let matcher = matcher(store)
        return { part, handOver in
          // What can't be read is said when its turn comes.
          let isWorth = (try? Self.holds(matcher, table, ranges[part], in: store)) ?? true
          withUnsafeBytes(of: isWorth) { _ = handOver($0) }
        }
      })
  }

  /// Whether the rows have a match, or a value that can't be searched.
  private static func holds(
    _ matcher: ValueMatcher, _ table: SearchedTable, _ range: KeyRange, in store: CoreDataStore
  ) throws -> Bool {
    let statement = try table.statement(in: store, range)
    let problems = matcher.problemCount
    while try statement.step() {
      for (column, property) in table.properties[statement.integer(1)] ?? [] {
        if table.unreadBytes(statement, column) != nil
          || matcher.find(in: statement.cell(2 + column), of: property) != nil
          || matcher.problemCount != problems
        {
          return true
        }
      }
    }
    return false
  }

  /// The next range that has to be searched; nil at the end.
  func next(whileWaiting: () -> Void) throws -> KeyRange? {
    while true {
      while let isWorth = left.popFirst() {
        index += 1
        if isWorth != 0 { return ranges[index - 1] }
      }
      guard let pieces = try made.next(whileWaiting: whileWaiting) else { return nil }
      left = Array(pieces.joined())[...]
    }
  }
}
