/// Copies bytes into new files, hashing on the way, and does not come back before they are on the medium.
package enum FileCopy {
  /// What was read or written.
  package struct Measure: HasFields, Equatable, Sendable {
    package var bytes: Int64
    /// Lower-case hexadecimal digits.
    package var sha256: String

    package static let fields: [Field<Self>] = [
      Field("bytes", "its size") { $0.bytes }, Field("sha256", .hash, "its hash") { $0.sha256 },
    ]
  }

  private static let chunk = 1 << 20

  /// Copies a file that no lock of SQLite's lies on, with its owner, rights, times and extended attributes.
  /// - Parameters:
  ///   - limit: how many bytes it may have.
  ///   - isWritable: lets the copy be written even if the file can't be.
  /// - Throws: `StoreScopeError` if it is no regular file, or has more bytes.
  @discardableResult
  package static func copy(
    _ part: String, in source: OpenFolder, to other: String, in target: OpenFolder, limit: Int64 = .max,
    isWritable: Bool = false
  ) throws -> Measure {
    let file = try source.openFile(part)
    return try write(other, in: target, reader(of: file, source.path(of: part), limit: limit)) {
      FileAttributes.takeOver(file, to: $0)
      if isWritable { FileAttributes.makeWritable($0.descriptor) }
    }
  }

  /// Makes the file, or leaves none, from what `next` fills the buffer with, until it gives 0.
  /// - Parameter finish: is called with the file once all is in it.
  package static func write(
    _ part: String, in folder: OpenFolder, _ next: (UnsafeMutableRawBufferPointer) throws -> Int,
    finish: (OpenFile) -> Void = { _ in }
  ) throws -> Measure {
    let file = try folder.createFile(part)
    defer { file.close() }
    func problem() -> StoreScopeError { .couldNotBe("written", folder.path(of: part)) }
    do {
      let measure = try measure(next) { bytes in guard file.write(bytes) else { throw problem() } }
      guard file.sync() else { throw problem() }
      finish(file)
      return measure
    } catch {
      try? folder.removeFile(part)
      throw error
    }
  }

  /// The size and hash of a file as it is on the medium.
  /// - Parameter each: takes its bytes, piece by piece.
  /// - Throws: `StoreScopeError` if it is no regular file, or has more than `limit` bytes.
  package static func measure(
    _ part: String, in folder: OpenFolder, limit: Int64 = .max,
    each: (UnsafeRawBufferPointer) throws -> Void = { _ in }
  ) throws -> Measure {
    try measure(reader(of: folder.openFile(part), folder.path(of: part), limit: limit), each: each)
  }

  /// The size and hash of what `next` fills the buffer with, until it gives 0.
  static func measure(
    _ next: (UnsafeMutableRawBufferPointer) throws -> Int,
    each: (UnsafeRawBufferPointer) throws -> Void = { _ in }
  ) throws -> Measure {
    var hash = SHA256()
    var total: Int64 = 0
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      try Interruption.check()
      let count = try next(buffer)
      if count == 0 { break }
      let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      hash.update(bytes)
      try each(bytes)
      total += Int64(count)
    }
    return Measure(bytes: total, sha256: Hexadecimal.lowercase(hash.finish()))
  }

  /// What fills buffers from a file, one after the other.
  private static func reader(of file: OpenFile, _ path: String, limit: Int64)
    -> (UnsafeMutableRawBufferPointer) throws -> Int
  {
    var total: Int64 = 0
    return { buffer in
      guard let count = file.next(into: buffer) else { throw StoreScopeError.couldNotBe("read", path) }
      total += Int64(count)
      guard total <= limit else { throw StoreScopeError(.limit, path, "has more than \(limit) bytes") }
      return count
    }
  }
}
