package import Base

/// One file, folder or link in an archive.
package struct ArchiveMember {
  /// As it stands there.
  package let path: String
  package let kind: FileKind
  /// In bytes; nil if the archive has it behind the data. A zip file's numbers may have lost their upper bytes.
  package let size: Int64?
  /// Seconds since 1970.
  package let modified: Int64?
  package let isEncrypted: Bool
}

/// What a member holds, read once from its beginning to its end.
package protocol MemberContent: AnyObject {
  /// Fills the buffer with what follows.
  /// - Returns: how many bytes; 0 at the end.
  /// - Throws: `StoreScopeError` if the data is encrypted, cut off, out of all proportion, or damaged; of kind `.damaged`
  ///   if nothing behind it can be read either.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int
}

extension MemberContent {
  /// The next bytes, as many as there are up to `count`.
  package func beginning(_ count: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let more = try bytes.withUnsafeMutableBytes {
        try read(into: UnsafeMutableRawBufferPointer(rebasing: $0[filled...]))
      }
      if more == 0 { break }
      filled += more
    }
    return Array(bytes.prefix(filled))
  }

  /// What fills buffers with a beginning that was read already, and with what follows it.
  /// - Parameter goesOn: false for the beginning alone.
  package func reader(behind beginning: [UInt8], _ goesOn: Bool = true) -> (UnsafeMutableRawBufferPointer)
    throws -> Int
  {
    var first = beginning[...]
    return { buffer in
      guard first.isEmpty else {
        let count = min(first.count, buffer.count)
        buffer.copyBytes(from: first.prefix(count))
        first = first.dropFirst(count)
        return count
      }
      return goesOn ? try self.read(into: buffer) : 0
    }
  }
}

/// How much the data of an archive may become. Deflate makes at most 1,032 times as much (https://zlib.net/zlib_tech.html),
/// other methods make millions; no store is nothing but zeros, though one may have many free pages that are.
package struct ExpansionLimit: Sendable {
  /// As a multiple of its own bytes, once it is more than `freely`.
  private static let most: Int64 = 250
  let freely: Int64

  package init(freely: Int64) { self.freely = freely }

  /// What there is space for, within reason.
  static var ofThisMachine: ExpansionLimit {
    ExpansionLimit(freely: min((Files.freeBytes(at: Platform.temporaryFolder) ?? .max) / 2, 2 << 30))
  }

  func check(_ expanded: Int64, from taken: Int64, _ name: String) throws {
    guard expanded > freely, expanded / max(taken, 1) > Self.most else { return }
    throw StoreScopeError(
      .limit, name, "expands to more than \(Self.most) times its size, as no archive of stores does",
      advice: "unpack it with another tool, and look at what is in it")
  }
}

/// The path of something in an archive, as whoever packed it wrote it.
package enum MemberPath {
  /// PATH_MAX of Linux, https://man7.org/linux/man-pages/man7/path_resolution.7.html; and more folders than anything has.
  private static let (longest, deepest) = (4096, 256)

  /// Whether no file can have that path. Whoever splits and compares longer ones can be kept busy for hours by a small archive.
  private static func isTooLong(_ path: String) -> Bool {
    path.utf8.count > longest || path.utf8.count { $0 == UInt8(ascii: "/") } > deepest
  }

  /// Without what means nothing: `./a//b` and `/a/b` are `a/b`. Nil if it leads out of the archive, or nowhere, or is too
  /// long for a path.
  package static func normalized(_ path: String) -> String? {
    guard !isTooLong(path) else { return nil }
    var names: [String] = []
    for name in PathText.names(path) where name != "." {
      if name == ".." || name.utf8.contains(0) { return nil }
      names.append(name)
    }
    return names.isEmpty ? nil : names.joined(separator: "/")
  }

  /// Why it has no path without what means nothing, a clause.
  package static func problem(_ path: String, in container: String) -> String {
    isTooLong(path) ? "its path is too long" : "its path leads out of the \(container)"
  }

  /// What macOS adds to the zip files it makes: `__MACOSX/` with a file `._NAME` for the attributes of each file.
  package static func isCompanion(_ path: String) -> Bool {
    path.hasPrefix("__MACOSX/") || Platform.fileName(path).hasPrefix("._")
  }
}
