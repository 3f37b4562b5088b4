#if canImport(Darwin)
  internal import Darwin
#else
  @preconcurrency internal import Glibc
#endif

/// Bytes that wait for a slow reader, first in, first out: some megabytes in memory, what is more in a temporary file
/// without a name, which nobody else can open and which is gone when this process is.
package final class Spool {
  private let capacity: Int
  private let folder: String
  private var memory: [UInt8] = []
  /// Where in `memory` the first waiting byte is.
  private var start = 0
  /// Takes over once the memory is full, until all of it was taken: -1 before.
  private var file: Int32 = -1
  private var (fileStart, fileEnd): (Int64, Int64) = (0, 0)
  private static let piece = 65_536

  /// - Parameters:
  ///   - capacity: how many bytes are kept in memory.
  ///   - folder: where the file is made; TMPDIR by default.
  package init(capacity: Int = 8 << 20, folder: String = Platform.temporaryFolder) {
    self.capacity = capacity
    self.folder = folder
  }

  deinit { if file >= 0 { close(file) } }

  package var isEmpty: Bool { start == memory.count && fileStart == fileEnd }

  /// - Throws: `StoreScopeError` if the file can't be written.
  package func append(_ bytes: UnsafeRawBufferPointer) throws(StoreScopeError) {
    if fileStart == fileEnd, memory.count - start + bytes.count <= capacity {
      if start > 0 { memory.removeFirst(start) }
      start = 0
      memory += bytes
      return
    }
    if file < 0 { file = try Self.makeFile(in: folder) }
    var rest = bytes
    while !rest.isEmpty {
      let count = pwrite(file, rest.baseAddress, rest.count, off_t(fileEnd))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.problem(folder) }
      fileEnd += Int64(count)
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// Offers the first waiting bytes, as many as are at hand; `take` returns how many of them are done with.
  /// - Throws: `StoreScopeError` if the file can't be read.
  package func take(_ take: (UnsafeRawBufferPointer) -> Int) throws(StoreScopeError) {
    if start == memory.count { try refill() }
    let (first, count) = (start, min(Self.piece, memory.count - start))
    start += memory.withUnsafeBytes { take(UnsafeRawBufferPointer(rebasing: $0[first..<first + count])) }
    if start == memory.count { (memory, start) = ([], 0) }
  }

  /// Reads the next piece of the file into memory, which is empty.
  private func refill() throws(StoreScopeError) {
    guard fileStart < fileEnd else { return }
    let wanted = min(Int64(Self.piece), fileEnd - fileStart)
    memory = [UInt8](repeating: 0, count: Int(wanted))
    start = 0
    var filled = 0
    while filled < memory.count {
      let count = memory.withUnsafeMutableBytes {
        pread(file, $0.baseAddress?.advanced(by: filled), $0.count - filled, off_t(fileStart) + off_t(filled))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.problem(folder) }
      filled += count
    }
    fileStart += wanted
    guard fileStart == fileEnd else { return }
    (fileStart, fileEnd) = (0, 0)
    ftruncate(file, 0)
  }

  /// A new file that only this process has, without a name at once.
  private static func makeFile(in folder: String) throws(StoreScopeError) -> Int32 {
    for _ in 0..<10 {
      let path = "\(folder)/storescope-output-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
      let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      if file >= 0 {
        unlink(path)
        return file
      }
      if errno != EEXIST { break }
    }
    throw problem(folder)
  }

  private static func problem(_ folder: String) -> StoreScopeError {
    StoreScopeError(
      .unwritable,
      "The output that its reader hasn't taken yet can't be kept in '\(folder)': \(Platform.lastError())",
      about: folder, advice: "Write the output to a file, or set TMPDIR to a folder with more space")
  }
}
