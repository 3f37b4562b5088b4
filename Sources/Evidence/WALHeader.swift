/// The first 32 bytes of a -wal, https://www.sqlite.org/fileformat2.html#the_write_ahead_log
package struct WALHeader: Sendable, Equatable {
  package var pageSize: Int
  /// How often the WAL was restarted.
  package var checkpointSequence: UInt32
  /// Two numbers that every frame of this generation of the WAL repeats.
  package var salts: [UInt8]
  var checksum: WALChecksum

  static let size = 32

  /// nil where SQLite would take the whole WAL for empty.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.size else { return nil }
    func number(_ offset: Int) -> UInt32 { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } }
    guard number(0) & ~1 == 0x377f_0682 else { return nil }
    pageSize = Int(number(8))
    guard (512...65536).contains(pageSize), pageSize & (pageSize - 1) == 0 else { return nil }
    checkpointSequence = number(12)
    salts = Array(bytes[16..<24])
    checksum = WALChecksum(isBigEndian: number(0) & 1 == 1)
    bytes.withUnsafeBytes { checksum.add(UnsafeRawBufferPointer(rebasing: $0[..<24])) }
    guard checksum.first == number(24), checksum.second == number(28) else { return nil }
  }
}

/// The running checksum over a WAL, https://www.sqlite.org/fileformat2.html#checksum_algorithm
struct WALChecksum: Sendable, Equatable {
  private(set) var first: UInt32 = 0
  private(set) var second: UInt32 = 0
  private let isSwapped: Bool

  init(isBigEndian: Bool) { isSwapped = isBigEndian == (UInt32(1).littleEndian == 1) }

  /// `bytes` come in pairs of 32-bit numbers.
  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var (first, second) = (first, second)
    for offset in stride(from: 0, to: bytes.count & ~7, by: 8) {
      var one = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
      var other = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
      if isSwapped { (one, other) = (one.byteSwapped, other.byteSwapped) }
      first &+= one &+ second
      second &+= other &+ first
    }
    (self.first, self.second) = (first, second)
  }
}
