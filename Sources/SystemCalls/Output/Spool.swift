package import Values

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Bytes that wait for a slow reader, first in, first out: some megabytes in memory, what is more in a temporary file
/// without a name, which nobody else can open and which is gone when this process is.
package final class Spool {
  private let capacity: Int
  private let folder: String
  private var memory: [UInt8] = []
  /// Where in `memory` the first waiting byte is.
  private var start = 0
  /// Takes over once the memory is full, until all of it was taken: nil before.
  private var file: OpenFile?
  private var (fileStart, fileEnd): (Int64, Int64) = (0, 0)
  private static let piece = 65_536

  /// - Parameters:
  ///   - capacity: how many bytes are kept in memory.
  ///   - folder: where the file is made; TMPDIR by default.
  package init(capacity: Int = 8 << 20, folder: String = Platform.temporaryFolder) {
    self.capacity = capacity
    self.folder = folder
  }

  package var isEmpty: Bool { start == memory.count && fileStart == fileEnd }

  /// - Throws: `StoreScopeError` if the file can't be written.
  package func append(_ bytes: UnsafeRawBufferPointer) throws(StoreScopeError) {
    if fileStart == fileEnd, memory.count - start + bytes.count <= capacity {
      if start > 0 { memory.removeFirst(start) }
      start = 0
      memory += bytes
      return
    }
    if file == nil { file = try Self.makeFile(in: folder) }
    guard file?.write(bytes, at: fileEnd) == true else { throw Self.problem(folder) }
    fileEnd += Int64(bytes.count)
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
    let count = memory.withUnsafeMutableBytes { file?.read(into: $0, at: fileStart).count }
    guard count == memory.count else { throw Self.problem(folder) }
    fileStart += wanted
    guard fileStart == fileEnd else { return }
    (fileStart, fileEnd) = (0, 0)
    file?.truncate(to: 0)
  }

  /// A new file that only this process has, without a name at once.
  private static func makeFile(in folder: String) throws(StoreScopeError) -> OpenFile {
    for _ in 0..<10 {
      let path = "\(folder)/storescope-output-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
      if let file = OpenFile(path, for: .making) {
        unlink(path)
        return file
      }
      if Platform.lastFailure != .taken { break }
    }
    throw problem(folder)
  }

  private static func problem(_ folder: String) -> StoreScopeError {
    StoreScopeError(
      .unwritable,
      "Output that hasn't been read yet can't be buffered in '\(folder)': \(Platform.lastError())",
      about: folder, advice: "Write the output to a file, or set TMPDIR to a folder with more space")
  }
}
