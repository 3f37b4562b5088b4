import Base

/// One frame of a WAL: a page's new content.
struct WALFrame {
  /// Counted from 1.
  var number: Int
  var page: UInt32
  /// The store's size in pages after the transaction that this frame ends; 0 in the middle of one.
  var pageCount: UInt32
  /// Valid during the call only.
  var content: UnsafeRawBufferPointer

  var isCommit: Bool { pageCount != 0 }

  static let headerSize = 24
}

/// Reads the frames of a WAL in their order as far as they are valid, with the memory of a few frames.
struct WALScanner {
  private let file: OpenFile
  private let size: Int64
  /// nil where SQLite would take the WAL for empty.
  let header: WALHeader?

  /// `size` is how much of the file to read.
  init(_ path: String, size: Int64) throws {
    file = try OpenFile.ofStore(path)
    self.size = size
    header = WALHeader(file.bytes(WALHeader.size))
  }

  /// Hands every valid frame to `body`, until that returns false; returns what follows the last valid one. A WAL may have
  /// gigabytes, so that Ctrl-C ends it.
  func scan(_ body: (WALFrame) throws -> Bool) throws -> WALIndex.Tail {
    guard let header else { return size == 0 ? .end : .badHeader }
    let frameSize = WALFrame.headerSize + header.pageSize
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(1, (1 << 20) / frameSize) * frameSize, alignment: 16)
    defer { buffer.deallocate() }
    var checksum = header.checksum
    var offset = Int64(WALHeader.size)
    var number = 0
    while offset < size {
      if Interruption.isRequested { throw InterruptedError() }
      let wanted = Int(min(Int64(buffer.count), size - offset))
      let count = file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), at: offset)
        .count
      for start in stride(from: 0, to: count, by: frameSize) {
        // Only the last piece of the file is no multiple of a frame.
        guard count - start >= frameSize else { return .incompleteFrame(bytes: count - start) }
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[start..<start + frameSize])
        guard bytes[8..<16].elementsEqual(header.salts) else { return .earlierGeneration }
        checksum.add(UnsafeRawBufferPointer(rebasing: bytes[..<8]))
        checksum.add(UnsafeRawBufferPointer(rebasing: bytes[WALFrame.headerSize...]))
        let frame = WALFrame(
          number: number + 1, page: bigEndian(bytes, 0), pageCount: bigEndian(bytes, 4),
          content: UnsafeRawBufferPointer(rebasing: bytes[WALFrame.headerSize...]))
        guard frame.page != 0, checksum.first == bigEndian(bytes, 16), checksum.second == bigEndian(bytes, 20)
        else { return try hasCommit(from: offset + Int64(start), header) ? .badFrame : .earlierGeneration }
        number += 1
        guard try body(frame) else { return .end }
      }
      guard count == wanted else { return .end }
      offset += Int64(count)
    }
    return .end
  }

  /// Whether a frame from there on ends a transaction. What a save had written before it was rolled back, or before its
  /// process was killed, stays behind the last commit and has no such frame.
  private func hasCommit(from start: Int64, _ header: WALHeader) throws -> Bool {
    let frameSize = Int64(WALFrame.headerSize + header.pageSize)
    for offset in stride(from: start, through: size - frameSize, by: Int(frameSize)) {
      if Interruption.isRequested { throw InterruptedError() }
      let bytes = file.bytes(WALFrame.headerSize, at: offset)
      guard bytes.count == WALFrame.headerSize, bytes[8..<16].elementsEqual(header.salts) else {
        return false
      }
      if bytes[4..<8].contains(where: { $0 != 0 }) { return true }
    }
    return false
  }

  private func bigEndian(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
    UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }
}

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
    guard var next = bytes.baseAddress else { return }
    var (first, second) = (first, second)
    let end = next + bytes.count & ~7
    // Neither a range nor checks of bounds: unoptimized they take most of a test's time.
    while next < end {
      let one = next.loadUnaligned(as: UInt32.self)
      let other = next.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
      first &+= (isSwapped ? one.byteSwapped : one) &+ second
      second &+= (isSwapped ? other.byteSwapped : other) &+ first
      next += 8
    }
    (self.first, self.second) = (first, second)
  }
}

extension WALHeader {
  /// A whole -wal with one frame, which repeats the main file's first page and so changes nothing. SQLite writes random
  /// salts; these are zeros, so that the same store always has the same -wal.
  package static func wal(repeating firstPage: [UInt8], pageCount: UInt32) -> [UInt8] {
    func bytes(_ numbers: UInt32...) -> [UInt8] {
      numbers.flatMap { number in withUnsafeBytes(of: number.bigEndian) { Array($0) } }
    }
    var checksum = WALChecksum(isBigEndian: true)
    func add(_ bytes: [UInt8]) { bytes.withUnsafeBytes { checksum.add($0) } }
    let (bigEndian, version, salts) = (UInt32(0x377f_0683), UInt32(3_007_000), bytes(0, 0))
    var wal = bytes(bigEndian, version, UInt32(firstPage.count), 0) + salts
    add(wal)
    wal += bytes(checksum.first, checksum.second)
    let frame = bytes(1, pageCount)
    add(frame)
    add(firstPage)
    return wal + frame + salts + bytes(checksum.first, checksum.second) + firstPage
  }
}
