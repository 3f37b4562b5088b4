import Base

/// The content of one file as an overlay shows it: the bytes on disk, which are only ever read, under the chunks
/// that were written, which live in memory.
final class OverlayFile {
  enum ReadResult {
    /// Every byte asked for was there.
    case whole
    /// The file ends before; the rest of the buffer is zero.
    case short
    case failed
  }

  private static let chunkSize = 4096

  /// The file on disk; nil where there is none below.
  private let file: OpenFile?
  /// Whether what is written goes to the file on disk.
  private let isWritten: Bool
  /// How many bytes at the beginning still come from disk where no chunk covers them.
  private var diskSize: Int64
  private(set) var size: Int64
  private var chunks: [Int64: UnsafeMutableRawPointer] = [:]
  private var ahead = ReadAhead()

  /// A file with nothing on disk below it.
  init() {
    file = nil
    isWritten = false
    diskSize = 0
    size = 0
  }

  /// A file that is open already; the descriptor stays the caller's. Nil if it can't be opened a second time.
  init?(_ other: Int32, isWritten: Bool) {
    guard let file = OpenFile(duplicating: other), let status = file.status else { return nil }
    self.file = file
    self.isWritten = isWritten
    diskSize = status.size
    size = diskSize
  }

  /// The regular file at `path`, which SQLite has without links; nil where there is none, where it is a link by now, or where
  /// it may not be read. Of a file longer than `limit` only that many bytes exist.
  init?(path: String, limit: Int64?) {
    // Opening a named pipe would wait for its other end, and opening a device can have effects of its own.
    guard FileStatus(ofLink: path)?.kind == .file, let file = OpenFile(path, for: .readingNoLink),
      let status = file.status, status.kind == .file
    else { return nil }
    self.file = file
    isWritten = false
    diskSize = min(status.size, limit ?? .max)
    size = diskSize
  }

  // Closing the file drops the locks that other connections of this process hold on it: an overlay must not be used next to
  // one of the ordinary kind. https://www.sqlite.org/howtocorrupt.html
  deinit { for chunk in chunks.values { chunk.deallocate() } }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> ReadResult {
    let available = Int(clamping: max(0, min(Int64(buffer.count), size - offset)))
    let asked = UnsafeMutableRawBufferPointer(rebasing: buffer[..<available])
    var result = available < buffer.count ? ReadResult.short : .whole
    if available < buffer.count {
      UnsafeMutableRawBufferPointer(rebasing: buffer[available...]).initializeMemory(
        as: UInt8.self, repeating: 0)
    }
    if chunks.isEmpty { return worse(result, readDisk(into: asked, at: offset)) }
    forEachPiece(of: asked.count, at: offset) { range, number, start in
      let piece = UnsafeMutableRawBufferPointer(rebasing: asked[range])
      if let chunk = chunks[number] {
        piece.copyMemory(from: UnsafeRawBufferPointer(start: chunk + start, count: piece.count))
      } else {
        result = worse(result, readDisk(into: piece, at: offset + Int64(range.lowerBound)))
      }
    }
    return result
  }

  /// False where the bytes below could not be read.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Bool {
    if isWritten { return writeDisk(bytes, at: offset) }
    var succeeded = true
    forEachPiece(of: bytes.count, at: offset) { range, number, start in
      let whole = range.count == Self.chunkSize
      guard succeeded, let chunk = chunk(number, filled: !whole) else {
        succeeded = false
        return
      }
      UnsafeMutableRawBufferPointer(start: chunk + start, count: range.count)
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[range]))
    }
    size = max(size, offset + Int64(bytes.count))
    return succeeded
  }

  /// Zeros follow up to this size, where the file is not that long.
  func extend(to newSize: Int64) { size = max(size, newSize) }

  /// False where the file on disk could not be cut.
  func truncate(to newSize: Int64) -> Bool {
    if isWritten, file?.truncate(to: newSize) != true { return false }
    size = newSize
    diskSize = min(diskSize, newSize)
    let last = newSize / Int64(Self.chunkSize)
    for (number, chunk) in chunks where number > last {
      chunk.deallocate()
      chunks[number] = nil
    }
    // Bytes behind the end must read as zero should the file grow again.
    let kept = Int(newSize % Int64(Self.chunkSize))
    if let chunk = chunks[last] {
      (chunk + kept).initializeMemory(as: UInt8.self, repeating: 0, count: Self.chunkSize - kept)
    }
    return true
  }

  private func writeDisk(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Bool {
    guard file?.write(bytes, at: offset) == true else { return false }
    ahead.forget()
    size = max(size, offset + Int64(bytes.count))
    diskSize = size
    return true
  }

  private func chunk(_ number: Int64, filled: Bool) -> UnsafeMutableRawPointer? {
    if let chunk = chunks[number] { return chunk }
    let chunk = UnsafeMutableRawPointer.allocate(byteCount: Self.chunkSize, alignment: 16)
    let buffer = UnsafeMutableRawBufferPointer(start: chunk, count: Self.chunkSize)
    if filled, case .failed = readDisk(into: buffer, at: number * Int64(Self.chunkSize)) {
      chunk.deallocate()
      return nil
    }
    chunks[number] = chunk
    return chunk
  }

  /// Bytes behind the part that still comes from disk are zero; that is no shortage. One is where the file on
  /// disk became shorter than it was.
  private func readDisk(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> ReadResult {
    let wanted = Int(clamping: max(0, min(Int64(buffer.count), diskSize - offset)))
    let asked = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
    let (done, hasFailed) = file.map { ahead.read(into: asked, at: offset, from: $0) } ?? (0, wanted > 0)
    UnsafeMutableRawBufferPointer(rebasing: buffer[done...]).initializeMemory(as: UInt8.self, repeating: 0)
    return hasFailed ? .failed : done < wanted ? .short : .whole
  }

  /// Splits a range of the file at the borders of chunks: `body` gets the part of the buffer, the chunk's
  /// number, and where in the chunk the part begins.
  private func forEachPiece(of count: Int, at offset: Int64, _ body: (Range<Int>, Int64, Int) -> Void) {
    var done = 0
    while done < count {
      let position = offset + Int64(done)
      let start = Int(position % Int64(Self.chunkSize))
      let length = min(count - done, Self.chunkSize - start)
      body(done..<done + length, position / Int64(Self.chunkSize), start)
      done += length
    }
  }

  private func worse(_ one: ReadResult, _ other: ReadResult) -> ReadResult {
    switch (one, other) {
    case (.failed, _), (_, .failed): .failed
    case (.short, _), (_, .short): .short
    default: .whole
    }
  }
}

/// What lies behind the page that was read last: SQLite asks for one page at a time, and going through a table it asks for
/// nearly all of them in their order. A call to the system for each took a seventh of the time of a search.
private struct ReadAhead {
  private static let size = 1 << 16

  private var bytes: [UInt8] = []
  private var start: Int64 = 0
  /// Behind what was read last.
  private var expected: Int64 = -1

  /// - Returns: see `OpenFile.read`.
  mutating func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, from file: OpenFile
  ) -> (count: Int, hasFailed: Bool) {
    defer { expected = offset + Int64(buffer.count) }
    if !holds(buffer.count, at: offset), offset == expected, 1..<Self.size ~= buffer.count {
      (bytes, start) = (file.bytes(Self.size, at: offset), offset)
    }
    guard holds(buffer.count, at: offset) else { return file.read(into: buffer, at: offset) }
    bytes.withUnsafeBytes {
      buffer.copyMemory(
        from: UnsafeRawBufferPointer(rebasing: $0[Int(offset - start)...].prefix(buffer.count)))
    }
    return (buffer.count, false)
  }

  mutating func forget() { bytes = [] }

  private func holds(_ count: Int, at offset: Int64) -> Bool {
    offset >= start && offset + Int64(count) <= start + Int64(bytes.count)
  }
}
