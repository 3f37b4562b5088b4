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
  private(set) var descriptor: Int32

  /// Begins the file anew; a pipe or a device is written to as it is.
  /// - Parameter store: the store that is open, none of whose files is ever written.
  init(_ path: String, keeping store: String?) throws {
    self.path = path
    try StoreFileGuard.check(path, keeping: store)
    guard FileReader.kind(of: path) == .other else {
      descriptor = try FileWriter.begin(path, rights: store.map(FileRights.init(like:)) ?? .ordinary)
      return
    }
    descriptor = Self.openSpecial(path)
    guard descriptor >= 0 else {
      throw StoreScopeError.unwritable(path, Platform.lastError(), advice: "choose another file")
    }
    // From here on a slow reader of a pipe is waited for.
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
  }

  private static func openSpecial(_ path: String) -> Int32 {
    // Without O_NONBLOCK a pipe without a reader would wait for one.
    open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK)
  }

  func close() {
    if descriptor >= 0 { Platform.closeDescriptor(descriptor) }
    descriptor = -1
  }

  deinit { close() }
}
