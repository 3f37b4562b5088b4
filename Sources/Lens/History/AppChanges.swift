import StoreModel
import Values

/// Changes of the app's objects, as several threads read them and one takes them, in order.
struct AppChanges {
  private struct Change {
    var object: ObjectKey
    var transaction: Int64
    var kind: ChangeKind?
    var origin: TransactionOrigin
  }

  private let rows: PackedRows<Change>

  private static let changesOfPart: Int64 = 8192

  /// - Parameters:
  ///   - number: only changes of transactions above it.
  ///   - stores: one for each thread; no other uses them meanwhile.
  /// - Returns: nil where one thread reads them as fast.
  init?(of reader: HistoryReader, after number: Int64, _ stores: () throws -> [CoreDataStore]) throws {
    guard number < .max else { return nil }
    let readers = try stores().compactMap { try HistoryReader($0) }
    guard readers.count > 1,
      let ranges = try reader.ranges(in: (number + 1)...(.max), changes: Self.changesOfPart)
    else { return nil }
    rows = PackedRows(
      ranges,
      by: readers.map { reader in
        { range, take in
          try reader.forEachAppChange(after: number, in: range) {
            try take(Change(object: $0, transaction: $2, kind: $1, origin: $3))
          }
        }
      })
  }

  func forEach(_ body: (ObjectKey, ChangeKind?, _ transaction: Int64, TransactionOrigin) throws -> Void)
    throws
  {
    try rows.forEach { try body($0.object, $0.kind, $0.transaction, $0.origin) }
  }
}
