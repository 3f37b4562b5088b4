import Values

#if canImport(Darwin)
  internal import Darwin
#else
  @preconcurrency internal import Glibc
#endif

/// Copies bytes into new files, hashing on the way, and does not come back before they are on the medium.
package enum FileCopy {
  /// What was read or written.
  package struct Measure: Equatable, Sendable {
    package var bytes: Int64
    /// Lower-case hexadecimal digits.
    package var sha256: String
  }

  private static let chunk = 1 << 20

  /// Copies a file that no lock of SQLite's lies on, with its owner, rights, times and extended attributes.
  /// - Parameters:
  ///   - limit: how many bytes it may have.
  ///   - isWritable: lets the copy be written even if the file can't be.
  /// - Throws: `StoreScopeError` if it is no regular file, or has more bytes.
  @discardableResult
  static func copy(
    _ part: String, in source: OpenFolder, to other: String, in target: OpenFolder, limit: Int64 = .max,
    isWritable: Bool = false
  ) throws -> Measure {
    let descriptor = try source.openFile(part)
    defer { close(descriptor) }
    return try write(
      other, in: target, reader(of: descriptor, source.path(of: part), limit: limit)
    ) {
      FileAttributes.takeOver(descriptor, to: $0)
      if isWritable { FileAttributes.makeWritable($0) }
    }
  }

  /// Makes the file, or leaves none, from what `next` fills the buffer with, until it gives 0.
  package static func write(to path: String, _ next: (UnsafeMutableRawBufferPointer) throws -> Int) throws
    -> Measure
  {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw problem("written", path) }
    defer { close(descriptor) }
    do { return try fill(descriptor, path, next) } catch {
      unlink(path)
      throw error
    }
  }

  /// The same in a folder that is open.
  /// - Parameter finish: is called with the file once all is in it.
  static func write(
    _ part: String, in folder: OpenFolder, _ next: (UnsafeMutableRawBufferPointer) throws -> Int,
    finish: (Int32) -> Void
  ) throws -> Measure {
    let descriptor = try folder.createFile(part)
    defer { close(descriptor) }
    do {
      let measure = try fill(descriptor, folder.path(of: part), next)
      finish(descriptor)
      return measure
    } catch {
      try? folder.removeFile(part)
      throw error
    }
  }

  private static func fill(
    _ descriptor: Int32, _ path: String, _ next: (UnsafeMutableRawBufferPointer) throws -> Int
  ) throws -> Measure {
    let measure = try hash(next) { bytes in
      guard Platform.write(bytes, to: descriptor) else { throw problem("written", path) }
    }
    guard fsync(descriptor) == 0 else { throw problem("written", path) }
    return measure
  }

  /// The size and hash of a file as it is on the medium.
  /// - Throws: `StoreScopeError` if it is no regular file, or has more than `limit` bytes.
  static func measure(_ part: String, in folder: OpenFolder, limit: Int64 = .max) throws -> Measure {
    let descriptor = try folder.openFile(part)
    defer { close(descriptor) }
    return try hash(reader(of: descriptor, folder.path(of: part), limit: limit))
  }

  private static func hash(
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
  private static func reader(of descriptor: Int32, _ path: String, limit: Int64)
    -> (UnsafeMutableRawBufferPointer) throws -> Int
  {
    var total: Int64 = 0
    return { buffer in
      let count = try read(descriptor, path, into: buffer)
      total += Int64(count)
      guard total <= limit else { throw StoreScopeError(.limit, path, "has more than \(limit) bytes") }
      return count
    }
  }

  private static func read(_ descriptor: Int32, _ path: String, into buffer: UnsafeMutableRawBufferPointer)
    throws -> Int
  {
    while true {
      #if canImport(Darwin)
        let count = Darwin.read(descriptor, buffer.baseAddress, buffer.count)
      #else
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      #endif
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw problem("read", path) }
      return count
    }
  }

  private static func problem(_ verb: String, _ path: String) -> StoreScopeError {
    .couldNotBe(verb, path, Platform.lastError())
  }
}
