import StoreModel
import SystemCalls
import Values

/// Changes of the app's objects, as several threads read them and one takes them, in order. Reading five million of them
/// takes longer than everything that `pending` does with them.
struct AppChanges {
  private let made: PartsInOrder

  private static let changesOfPart: Int64 = 16_384

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
    made = PartsInOrder(
      parts: ranges.count,
      by: readers.map { reader in
        { part, handOver in
          var packed = PackedChanges()
          // Also what comes before a damaged page.
          defer { _ = packed.handOver(handOver) }
          try reader.forEachAppChange(after: number, in: ranges[part]) {
            packed.add($0, $1, $2, $3)
            // One transaction may have millions.
            guard !packed.isFull || packed.handOver(handOver) else { throw InterruptedError() }
          }
        }
      })
  }

  func forEach(_ body: (ObjectKey, ChangeKind?, _ transaction: Int64, TransactionOrigin) throws -> Void)
    throws
  {
    while let pieces = try made.next(whileWaiting: { try Interruption.check() }) {
      for piece in pieces { try piece.withUnsafeBytes { try PackedChanges.forEach(in: $0, body) } }
    }
  }
}

/// Changes as bytes, for another thread.
private struct PackedChanges {
  private struct Change {
    var object: ObjectKey
    var transaction: Int64
    var kind: ChangeKind?
    var origin: TransactionOrigin
  }

  private var changes: [Change] = []

  mutating func add(
    _ object: ObjectKey, _ kind: ChangeKind?, _ transaction: Int64, _ origin: TransactionOrigin
  ) {
    changes.append(Change(object: object, transaction: transaction, kind: kind, origin: origin))
  }

  var isFull: Bool { changes.count >= 8192 }

  /// False if nobody wants more.
  mutating func handOver(_ body: (UnsafeRawBufferPointer) -> Bool) -> Bool {
    defer { changes.removeAll(keepingCapacity: true) }
    return changes.isEmpty || changes.withUnsafeBytes(body)
  }

  static func forEach(
    in bytes: UnsafeRawBufferPointer,
    _ body: (ObjectKey, ChangeKind?, _ transaction: Int64, TransactionOrigin) throws -> Void
  ) throws {
    for offset in stride(from: 0, to: bytes.count, by: MemoryLayout<Change>.stride) {
      let change = bytes.loadUnaligned(fromByteOffset: offset, as: Change.self)
      try body(change.object, change.kind, change.transaction, change.origin)
    }
  }
}
