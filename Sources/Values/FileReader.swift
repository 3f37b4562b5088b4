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

  /// How many bytes the file takes on disk, without its holes; nil if it can't be determined.
  package static func sizeOnDisk(of path: String) -> Int64? {
    var status = stat()
    // In units of 512 bytes: https://man7.org/linux/man-pages/man3/stat.3type.html
    return stat(path, &status) == 0 ? Int64(status.st_blocks) * 512 : nil
  }

  /// The file's bytes.
  /// - Throws: where it can't be read, isn't a regular file, or holds more than `limit` bytes.
  package static func bytes(of path: String, limit: Int) throws(StoreScopeError) -> [UInt8] {
    try bytes(of: openFile(path), path, limit: limit)
  }

  package static func bytes(of file: ContainedFile, limit: Int) throws(StoreScopeError) -> [UInt8] {
    try bytes(of: file.openFile(), file.path, limit: limit)
  }

  private static func bytes(
    of file: (descriptor: Int32, size: Int), _ path: String, limit: Int
  ) throws(StoreScopeError) -> [UInt8] {
    let (descriptor, size) = file
    defer { close(descriptor) }
    guard size <= limit else {
      throw StoreScopeError(.limit, plain: path, "has \(size) bytes, more than the \(limit) that are read")
    }
    // One byte more than the file says it has, to see the end or that it grew.
    var bytes = [UInt8](repeating: 0, count: size + 1)
    var filled = 0
    while let count = try readMore(descriptor, path, into: &bytes, from: filled), count > 0 {
      filled += count
      guard filled <= limit else {
        throw StoreScopeError(.limit, plain: path, "has more than the \(limit) bytes that are read")
      }
      if filled == bytes.count { bytes.append(contentsOf: repeatElement(0, count: filled)) }
    }
    bytes.removeLast(bytes.count - filled)
    return bytes
  }

  /// The file's first bytes, as many as there are up to `count`, and the size of all of it.
  /// - Throws: where it can't be read or isn't a regular file.
  package static func beginning(of path: String, count: Int) throws(StoreScopeError) -> (
    bytes: [UInt8], size: Int
  ) {
    try beginning(of: openFile(path), path, count: count)
  }

  package static func beginning(of file: ContainedFile, count: Int) throws(StoreScopeError) -> (
    bytes: [UInt8], size: Int
  ) {
    try beginning(of: file.openFile(), file.path, count: count)
  }

  private static func beginning(
    of file: (descriptor: Int32, size: Int), _ path: String, count: Int
  ) throws(StoreScopeError) -> (bytes: [UInt8], size: Int) {
    let (descriptor, size) = file
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count, let more = try readMore(descriptor, path, into: &bytes, from: filled), more > 0 {
      filled += more
    }
    bytes.removeLast(count - filled)
    return (bytes, size)
  }

  /// The size and the hash of all of a file, read piece by piece. Closing a file drops this process's locks on it, so a
  /// store that is open here must not be asked for.
  package static func fingerprint(of path: String) throws -> (bytes: Int64, sha256: String) {
    let (descriptor, _) = try openFile(path)
    defer { close(descriptor) }
    var hash = SHA256()
    var piece = [UInt8](repeating: 0, count: 1 << 20)
    var total: Int64 = 0
    while let count = try readMore(descriptor, path, into: &piece, from: 0), count > 0 {
      // A file of many gigabytes takes minutes.
      try Interruption.check()
      piece.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      total += Int64(count)
    }
    return (total, Hexadecimal.lowercase(hash.finish()))
  }

  private static func openFile(_ path: String) throws(StoreScopeError) -> (descriptor: Int32, size: Int) {
    // Without O_NONBLOCK opening a pipe waits for a writer, before its kind is known.
    let descriptor = Platform.openQuietly(path, O_NONBLOCK)
    guard descriptor >= 0 else { throw StoreScopeError.failed("cannot open", path, Platform.lastError()) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      defer { close(descriptor) }
      throw StoreScopeError.failed("cannot examine", path, Platform.lastError())
    }
    guard kind(of: status) == .file else {
      close(descriptor)
      throw StoreScopeError(.foreign, plain: path, "is not a regular file")
    }
    return (descriptor, Int(status.st_size))
  }

  /// How many bytes came; 0 at the end. Nil where there is no room.
  private static func readMore(
    _ descriptor: Int32, _ path: String, into bytes: inout [UInt8], from filled: Int
  ) throws(StoreScopeError) -> Int? {
    guard filled < bytes.count else { return nil }
    while true {
      let count = bytes.withUnsafeMutableBytes { buffer in
        read(descriptor, buffer.baseAddress?.advanced(by: filled), buffer.count - filled)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw StoreScopeError.failed("cannot read", path, Platform.lastError()) }
      return count
    }
  }

  /// The names in a folder, sorted, without `.` and `..`.
  /// - Throws: where it can't be read or holds more than `limit` entries.
  package static func names(in folder: String, limit: Int = 10_000) throws(StoreScopeError) -> [String] {
    var names: [String] = []
    try forEachName(in: folder, limit: limit) { names.append($0) }
    return names.sorted()
  }

  /// The same one by one, in no particular order.
  package static func forEachName(
    in folder: String, limit: Int, _ body: (String) -> Void
  ) throws(StoreScopeError) {
    let descriptor = Platform.openQuietly(folder, O_DIRECTORY)
    guard descriptor >= 0 else {
      throw StoreScopeError.failed("cannot open the folder", folder, Platform.lastError())
    }
    try forEachName(inOpenFolder: descriptor, path: folder, limit: limit, body)
  }

  package static func forEachName(
    in folder: ContainedFile, limit: Int, _ body: (String) -> Void
  ) throws(StoreScopeError) {
    try forEachName(inOpenFolder: folder.openFolder(), path: folder.path, limit: limit, body)
  }

  /// The same of a folder that is open, and is closed then.
  package static func forEachName(
    inOpenFolder descriptor: Int32, path folder: String, limit: Int, _ body: (String) -> Void
  ) throws(StoreScopeError) {
    guard let stream = fdopendir(descriptor) else {
      defer { close(descriptor) }
      throw StoreScopeError.failed("cannot read the folder", folder, Platform.lastError())
    }
    defer { closedir(stream) }
    // An entry is shorter than `dirent` says, so that it must not be copied as a whole.
    let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    var count = 0
    while true {
      // The end and a failure look the same but for errno: https://man7.org/linux/man-pages/man3/readdir.3.html
      errno = 0
      guard let entry = readdir(stream) else { break }
      let name = String(
        cString: UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self))
      if name == "." || name == ".." { continue }
      count += 1
      guard count <= limit else {
        throw StoreScopeError(.limit, "the folder \(folder) holds more than \(limit) entries", about: folder)
      }
      body(name)
    }
    guard errno == 0 else {
      throw StoreScopeError.failed("cannot read the folder", folder, Platform.lastError())
    }
  }

  private static func kind(of status: stat) -> Kind {
    switch status.st_mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .folder
    default: .other
    }
  }
}
