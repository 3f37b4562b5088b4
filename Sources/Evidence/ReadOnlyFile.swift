import Values

#if canImport(Darwin)
  internal import Darwin
#else
  @preconcurrency internal import Glibc
#endif

/// A regular file, open for reading. Never waits, as a named pipe would make it.
///
/// Closing it drops every POSIX lock that this process holds on the file
/// (https://www.sqlite.org/howtocorrupt.html, 2.2). So a store's main file and its -shm are closed either before
/// SQLite opens them or after it closed them.
final class ReadOnlyFile {
  let descriptor: Int32

  /// Throws a sentence about `path`, `VanishedFile` if there is no such file any more; the file's kind was checked before, by `FileFacts`.
  init(_ path: String) throws {
    descriptor = Platform.openQuietly(path, O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { throw VanishedFile(path: path) }
      let reason =
        errno == EACCES ? "you may not read it; ask for the right to, or copy it" : Platform.lastError()
      throw StoreScopeError.unreadable(path, reason)
    }
  }

  deinit { close(descriptor) }

  /// Fills `buffer` from `offset` on; returns how many bytes there were.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
    var done = 0
    while done < buffer.count, let start = buffer.baseAddress {
      let count = pread(descriptor, start + done, buffer.count - done, off_t(offset + Int64(done)))
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { break }
      done += count
    }
    return done
  }

  /// Up to `count` bytes from `offset` on.
  func bytes(_ count: Int, at offset: Int64 = 0) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
    }
  }
}

/// A file that was there at the last look. Processes take the -wal and the journal away, and make others, all the time,
/// so that this is a reason to look again.
struct VanishedFile: Error, CustomStringConvertible {
  let path: String

  private var failure: StoreScopeError {
    .unreadable(path, "it was taken away meanwhile", kind: .changed, advice: "try again")
  }

  var description: String { failure.description }

  /// Calls `body` until nothing that it looks for goes meanwhile, or for two seconds.
  static func retrying<R>(_ body: () throws -> R) throws -> R {
    let end = Platform.monotonicSeconds() + 2
    while true {
      do { return try body() } catch let error as VanishedFile {
        guard Platform.monotonicSeconds() < end else { throw error.failure }
        usleep(1000)
      }
    }
  }
}
