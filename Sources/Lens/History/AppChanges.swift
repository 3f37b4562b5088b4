import Base
import SQLite
import StoreModel

/// A change of one of the app's objects, as the framework's own exporter sees it.
struct AppChange: BitwiseCopyable {
  var object: ObjectKey
  var transaction: Int64
  // Small ones last: in another order a change takes a quarter more.
  var kind: ChangeKind?
  var origin: TransactionOrigin
}

extension HistoryReader {
  /// Calls `body` for changes of the app's objects above a transaction's number: oldest first, and only where the
  /// transaction still exists.
  /// - Parameters:
  ///   - range: of transactions; nil for all.
  ///   - object: the one that is asked for; all of them where nil.
  func forEachAppChange(
    after number: Int64, in range: KeyRange? = nil, of object: ObjectScope? = nil,
    _ body: (AppChange) throws -> Void
  ) throws {
    // Of two lower ends SQLite may begin at the lower one.
    let isNewer = range?.from.map { $0 > number } ?? false ? nil : "\"transaction\" > \(number)"
    let conditions = [
      isNewer, range?.condition("\"transaction\""),
      object?.condition(entity: "entityNumber", primaryKey: "pk"),
    ]
    guard
      var cursor = try ChangeCursor(
        connection, tables,
        where: conditions.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " AND "))
    else { return }
    var current: (number: Int64, origin: TransactionOrigin?)?
    while try cursor.next() {
      let change = cursor.change
      guard let number = change.transaction else { continue }
      if current?.number != number {
        current = (number, try transactions.transaction(number)?.origin)
      }
      guard let origin = current?.origin, let object = change.objectOfApp else { continue }
      try body(AppChange(object: object, transaction: number, kind: change.kind, origin: origin))
    }
  }

  private static let changesOfPart: Int64 = 8192

  /// The same as several threads read them.
  /// - Parameter stores: one for each thread; no other uses them meanwhile.
  /// - Returns: nil where one thread reads them as fast.
  func appChanges(
    after number: Int64, _ stores: () throws -> [CoreDataStore]
  ) throws -> PackedRows<AppChange>? {
    guard number < .max else { return nil }
    let readers = try stores().compactMap { try HistoryReader($0) }
    guard readers.count > 1,
      let ranges = try ranges(in: (number + 1)...(.max), changes: Self.changesOfPart)
    else { return nil }
    return PackedRows(
      ranges,
      by: readers.map { reader in
        { range, take in try reader.forEachAppChange(after: number, in: range, take) }
      })
  }

  /// How many objects and transactions an exporter that processes all of history finds: those that the app changed.
  package func totalsOfApp() throws -> (objects: Int, transactions: Int) {
    let seen = ObjectMap(empty: false)
    var (objects, transactions) = (0, 0)
    var last: Int64?
    try forEachAppChange(after: 0) { change in
      guard change.origin == .app else { return }
      if change.transaction != last { transactions += 1 }
      last = change.transaction
      try seen.update(change.object) { isSeen in
        if !isSeen { objects += 1 }
        isSeen = true
      }
    }
    return (objects, transactions)
  }
}
