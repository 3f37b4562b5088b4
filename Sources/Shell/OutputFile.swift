import Commands
import Values

#if canImport(Darwin)
  import Darwin
#else
  @preconcurrency import Glibc
#endif

/// A file that results go to.
final class OutputFile {
  let path: String
  private var descriptor: Int32

  /// Begins the file anew.
  /// - Parameter environment: of the store that is open, none of whose files is ever written.
  init(_ path: String, keeping environment: CommandEnvironment) throws {
    self.path = path
    let isStore = StoreStamp(of: environment)?.includes(path) ?? false
    // SQLite's files beside a store, which need not be there yet.
    let isBeside = SideFiles.owner(of: path) != nil
    guard !isStore, !isBeside, !Self.isDatabase(path) else {
      throw StoreScopeError("'\(path)' is a store, which is never written over; choose another file.")
    }
    descriptor = Self.create(path)
    guard descriptor >= 0 else {
      throw StoreScopeError("'\(path)' can't be written: \(Platform.lastError()); choose another file.")
    }
    // From here on a slow reader of a pipe is waited for.
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
  }

  private static func create(_ path: String) -> Int32 {
    // Without O_NONBLOCK a pipe without a reader would wait for one.
    open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0o644)
  }

  /// Whether the file begins as SQLite's do: https://www.sqlite.org/fileformat.html#magic_header_string
  private static func isDatabase(_ path: String) -> Bool {
    let magic = Array("SQLite format 3\0".utf8)
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { Platform.closeFile(descriptor) }
    var start = [UInt8](repeating: 0, count: magic.count)
    return systemRead(descriptor, &start, start.count) == magic.count && start == magic
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Bool { Platform.write(bytes, to: descriptor) }

  func close() {
    if descriptor >= 0 { Platform.closeFile(descriptor) }
    descriptor = -1
  }

  deinit { close() }
}

extension Platform {
  fileprivate static func closeFile(_ descriptor: Int32) { close(descriptor) }
}
