import SystemCalls
import Values

/// Rows of a large table as a few numbers each, as several threads read them and one takes them, in order. Reading a
/// million rows takes longer than everything that is done with them.
struct PackedRows<Row: BitwiseCopyable> {
  /// Reads the rows of a range, one after the other.
  typealias Reader = (_ range: KeyRange, _ take: (Row) throws -> Void) throws -> Void

  private let made: PartsInOrder

  /// About as much as the largest parts have; more would be memory without a gain.
  private static var bytesOfThread: Int { 1 << 18 }
  /// A range may have millions. Larger pieces would be memory of their own, which the system has to clear each time.
  private static var rowsOfPiece: Int { (1 << 16) / MemoryLayout<Row>.stride }

  /// - Parameter readers: one for each thread.
  init(_ ranges: KeyRanges, by readers: [Reader]) {
    made = PartsInOrder(
      parts: ranges.count,
      by: readers.map { read in
        { part, handOver in
          var rows: [Row] = []
          rows.reserveCapacity(Self.rowsOfPiece)
          // Also what comes before a damaged page.
          defer { _ = rows.isEmpty || rows.withUnsafeBytes(handOver) }
          try read(ranges[part]) { row in
            rows.append(row)
            guard rows.count == Self.rowsOfPiece else { return }
            defer { rows.removeAll(keepingCapacity: true) }
            // Nobody wants more.
            guard rows.withUnsafeBytes(handOver) else { throw InterruptedError() }
          }
        }
      }, bytes: readers.count * Self.bytesOfThread)
  }

  /// - Throws: what a reader throws, after the rows before that.
  func forEach(_ body: (Row) throws -> Void) throws {
    while let pieces = try made.next(whileWaiting: { try Interruption.check() }) {
      for piece in pieces {
        try piece.withUnsafeBytes { bytes in
          for offset in stride(from: 0, to: bytes.count, by: MemoryLayout<Row>.stride) {
            try body(bytes.loadUnaligned(fromByteOffset: offset, as: Row.self))
          }
        }
      }
    }
  }
}
