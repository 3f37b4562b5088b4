internal import Values

#if canImport(Darwin)
  import Darwin
#else
  @preconcurrency import Glibc
#endif

/// The few things that the forge does with files other than the database.
enum Files {
  static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// Makes the folder, and those it lies in, where they are not there.
  static func makeFolder(_ path: String) throws {
    if mkdir(path, 0o755) == 0 || (errno == EEXIST && Platform.isFolder(path) == true) { return }
    if errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex {
      try makeFolder(String(path[..<slash]))
      if mkdir(path, 0o755) == 0 { return }
    }
    throw StoreScopeError("Cannot make the folder '\(path)': \(Platform.lastError()).")
  }

  static func write(_ bytes: [UInt8], to path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw StoreScopeError("Cannot write '\(path)': \(Platform.lastError()).")
    }
    defer { close(descriptor) }
    guard bytes.withUnsafeBytes({ Platform.write($0, to: descriptor) }) else {
      throw StoreScopeError("Cannot write '\(path)': \(Platform.lastError()).")
    }
  }

  static func remove(_ path: String) { unlink(path) }
}
