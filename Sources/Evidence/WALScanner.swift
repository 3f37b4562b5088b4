import SystemCalls

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
