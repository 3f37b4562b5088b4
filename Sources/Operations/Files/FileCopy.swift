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
  static func copy(_ source: String, to path: String) throws -> Measure {
    let descriptor = try openForReading(source)
    defer { close(descriptor) }
    let copied = try write(to: path) { try read(descriptor, source, into: $0) }
    FileAttributes.takeOver(source, to: path)
    return copied
  }

  /// Makes the file, or leaves none, from what `next` fills the buffer with, until it gives 0.
  package static func write(to path: String, _ next: (UnsafeMutableRawBufferPointer) throws -> Int) throws
    -> Measure
  {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw problem("written", path) }
    defer { close(descriptor) }
    do {
      let measure = try hash(next) { bytes in
        guard Platform.write(bytes, to: descriptor) else { throw problem("written", path) }
      }
      guard fsync(descriptor) == 0 else { throw problem("written", path) }
      return measure
    } catch {
      unlink(path)
      throw error
    }
  }

  /// The size and hash of a file as it is on the medium.
  static func measure(_ path: String) throws -> Measure {
    let descriptor = try openForReading(path)
    defer { close(descriptor) }
    return try hash { try read(descriptor, path, into: $0) }
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

  private static func openForReading(_ path: String) throws -> Int32 {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw problem("read", path) }
    return descriptor
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
    StoreScopeError("'\(path)' could not be \(verb): \(Platform.lastError()).")
  }
}
