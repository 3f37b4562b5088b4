#if canImport(Darwin)
  import Darwin
#else
  @preconcurrency import Glibc
#endif

/// Reads small files and folders that a user names: never waits on a pipe, never reads more than asked for.
package enum FileReader {
  package enum Kind: Sendable {
    case file, folder
    /// A pipe, socket or device, which may never end.
    case other
  }

  /// Nil where there is nothing at `path`, or nothing that may be seen. Links are followed.
  package static func kind(of path: String) -> Kind? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return kind(of: status)
  }

  /// The file's size in bytes; nil where it can't be told.
  package static func size(of path: String) -> Int64? {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : nil
  }

  /// The file's bytes.
  /// - Throws: where it can't be read, isn't a regular file, or holds more than `limit` bytes.
  package static func bytes(of path: String, limit: Int) throws(StoreScopeError) -> [UInt8] {
    // Without O_NONBLOCK opening a pipe waits for a writer, before its kind is known.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw StoreScopeError("cannot open \(path): \(Platform.lastError())") }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw StoreScopeError("cannot examine \(path): \(Platform.lastError())")
    }
    guard kind(of: status) == .file else { throw StoreScopeError("\(path) is not a regular file") }
    guard status.st_size <= limit else {
      throw StoreScopeError("\(path) has \(status.st_size) bytes, more than the \(limit) that are read")
    }
    // One byte more than the file says it has, to see the end or that it grew.
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size) + 1)
    var filled = 0
    while true {
      let count = bytes.withUnsafeMutableBytes { buffer in
        read(descriptor, buffer.baseAddress?.advanced(by: filled), buffer.count - filled)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw StoreScopeError("cannot read \(path): \(Platform.lastError())") }
      if count == 0 { break }
      filled += count
      guard filled <= limit else {
        throw StoreScopeError("\(path) has more than the \(limit) bytes that are read")
      }
      if filled == bytes.count { bytes.append(contentsOf: repeatElement(0, count: filled)) }
    }
    bytes.removeLast(bytes.count - filled)
    return bytes
  }

  /// The names in a folder, sorted, without `.` and `..`.
  /// - Throws: where it can't be read or holds more than `limit` entries.
  package static func names(in folder: String, limit: Int = 10_000) throws(StoreScopeError) -> [String] {
    guard let stream = opendir(folder) else {
      throw StoreScopeError("cannot open the folder \(folder): \(Platform.lastError())")
    }
    defer { closedir(stream) }
    // An entry is shorter than `dirent` says, so that it must not be copied as a whole.
    let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = String(
        cString: UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self))
      if name == "." || name == ".." { continue }
      guard names.count < limit else {
        throw StoreScopeError("the folder \(folder) holds more than \(limit) entries")
      }
      names.append(name)
    }
    return names.sorted()
  }

  private static func kind(of status: stat) -> Kind {
    switch status.st_mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .folder
    default: .other
    }
  }
}
