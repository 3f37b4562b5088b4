#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Reads small files and folders that a user names: never waits on a pipe, never reads more than asked for.
package enum FileReader {
  /// Nil where there is nothing at `path`, or nothing that may be seen. Links are followed.
  package static func kind(of path: String) -> FileKind? { FileStatus(path)?.kind }

  /// The file's size in bytes; nil if it can't be determined.
  package static func size(of path: String) -> Int64? { FileStatus(path)?.size }

  /// The file's bytes.
  /// - Throws: where it can't be read, isn't a regular file, or holds more than `limit` bytes.
  package static func bytes(of path: String, limit: Int) throws(StoreScopeError) -> [UInt8] {
    try bytes(of: openFile(path), path, limit: limit)
  }

  package static func bytes(of file: ContainedFile, limit: Int) throws(StoreScopeError) -> [UInt8] {
    try bytes(of: file.openFile(), file.path, limit: limit)
  }

  private static func bytes(
    of opened: (file: OpenFile, size: Int), _ path: String, limit: Int
  ) throws(StoreScopeError) -> [UInt8] {
    let (file, size) = opened
    guard size <= limit else {
      throw StoreScopeError(.limit, plain: path, "has \(size) bytes, more than the \(limit) that are read")
    }
    // One byte more than the file says it has, to see the end or that it grew.
    var bytes = [UInt8](repeating: 0, count: size + 1)
    var filled = 0
    while let count = try readMore(file, path, into: &bytes, from: filled), count > 0 {
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
    of opened: (file: OpenFile, size: Int), _ path: String, count: Int
  ) throws(StoreScopeError) -> (bytes: [UInt8], size: Int) {
    let (file, size) = opened
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count, let more = try readMore(file, path, into: &bytes, from: filled), more > 0 {
      filled += more
    }
    bytes.removeLast(count - filled)
    return (bytes, size)
  }

  /// The size and the hash of all of a file, read piece by piece. Closing a file drops this process's locks on it, so a
  /// store that is open here must not be asked for.
  package static func fingerprint(of path: String) throws -> FileCopy.Measure {
    try fingerprint(of: [path])
  }

  /// Of several files as if they were one, each behind the other.
  /// - Throws: also of a file with so many bytes in holes that hashing its zeros would take minutes. A file of any size
  ///   costs nothing to make.
  package static func fingerprint(of paths: [String]) throws -> FileCopy.Measure {
    var rest = paths[...]
    var current: OpenFile?
    var (size, offset, hole): (Int64, Int64, Int64) = (0, 0, 0)
    var isSparse = false
    return try FileCopy.measure { buffer in
      while let path = rest.first {
        if current == nil {
          let file = try openFile(path).file
          guard let status = file.status else {
            throw StoreScopeError.failed("can't examine", path, Platform.lastOpeningError())
          }
          let holes = status.size - status.sizeOnDisk
          guard holes <= mostHoleBytes else {
            throw StoreScopeError(
              .limit, path,
              "has \(Sentence.size(holes)) of holes, which were never written; up to \(Sentence.size(mostHoleBytes)) are hashed",
              advice: "copy its rows to a new file with sqlite3's VACUUM INTO")
          }
          (current, size, offset, hole, isSparse) = (file, status.size, 0, 0, holes > 0)
        }
        guard let file = current else { break }
        if isSparse, hole == 0 { hole = file.skipHole(at: offset, size: size) }
        if hole > 0 {
          let count = Int(min(hole, Int64(buffer.count)))
          UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]).initializeMemory(
            as: UInt8.self, repeating: 0)
          hole -= Int64(count)
          offset += Int64(count)
          return count
        }
        guard let count = file.next(into: buffer) else {
          throw StoreScopeError.failed("can't read", path, Platform.lastError())
        }
        offset += Int64(count)
        if count > 0 { return count }
        current = nil
        rest.removeFirst()
      }
      return 0
    }
  }

  private static let mostHoleBytes: Int64 = 8 << 30

  /// What fills buffers with the file's bytes, one after the other, until it gives 0.
  package static func stream(of file: ContainedFile) throws -> (UnsafeMutableRawBufferPointer) throws -> Int {
    let (opened, _) = try file.openFile()
    return { buffer in
      guard let count = opened.next(into: buffer) else {
        throw StoreScopeError.failed("can't read", file.path, Platform.lastError())
      }
      return count
    }
  }

  private static func openFile(_ path: String) throws(StoreScopeError) -> (file: OpenFile, size: Int) {
    guard let file = OpenFile(path, for: .reading) else {
      throw StoreScopeError.failed("can't open", path, Platform.lastOpeningError())
    }
    guard let status = file.status else {
      throw StoreScopeError.failed("can't examine", path, Platform.lastOpeningError())
    }
    guard status.kind == .file else { throw StoreScopeError(.foreign, plain: path, "is not a regular file") }
    return (file, Int(status.size))
  }

  /// How many bytes came; 0 at the end. Nil where there is no room.
  private static func readMore(
    _ file: OpenFile, _ path: String, into bytes: inout [UInt8], from filled: Int
  ) throws(StoreScopeError) -> Int? {
    guard filled < bytes.count else { return nil }
    let count = bytes.withUnsafeMutableBytes {
      file.next(into: UnsafeMutableRawBufferPointer(rebasing: $0[filled...]))
    }
    guard let count else { throw StoreScopeError.failed("can't read", path, Platform.lastError()) }
    return count
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
      throw StoreScopeError.failed("can't open the folder", folder, Platform.lastOpeningError())
    }
    try forEachName(inOpenFolder: descriptor, path: folder, limit: limit, body)
  }

  package static func forEachName(
    in folder: ContainedFile, limit: Int, _ body: (String) -> Void
  ) throws(StoreScopeError) {
    try forEachName(inOpenFolder: folder.openFolder(), path: folder.path, limit: limit, body)
  }

  /// The same of a folder that is open, and is closed then.
  static func forEachName(
    inOpenFolder descriptor: Int32, path folder: String, limit: Int, _ body: (String) -> Void
  ) throws(StoreScopeError) {
    guard let stream = fdopendir(descriptor) else {
      defer { systemClose(descriptor) }
      throw StoreScopeError.failed("can't read the folder", folder, Platform.lastOpeningError())
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
      throw StoreScopeError.failed("can't read the folder", folder, Platform.lastOpeningError())
    }
  }
}
