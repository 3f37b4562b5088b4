package import Base
import Foundation
import Testing

/// A folder for one test, gone with this value.
package final class TemporaryFolder {
  /// The folder's real path, without symbolic links and without a slash at the end.
  package let path: String

  /// In memory if there is enough of it, unless somebody chose a folder: tests sync tens of thousands of files, and wait
  /// for a disk each time.
  private static let parent: URL = {
    #if os(Linux)
      let memory = URL(fileURLWithPath: "/dev/shm")
      if ProcessInfo.processInfo.environment["TMPDIR"] == nil, isSufficient(memory) { return memory }
    #endif
    return FileManager.default.temporaryDirectory
  }()

  #if os(Linux)
    /// Before Linux 6.6, files in memory have no attributes of users: https://man7.org/linux/man-pages/man5/tmpfs.5.html
    private static func isSufficient(_ memory: URL) -> Bool {
      var space = statvfs()
      guard statvfs(memory.path, &space) == 0, space.f_bavail * space.f_frsize > 4 << 30 else { return false }
      let probe = memory.appendingPathComponent("storescope-\(UUID().uuidString)").path
      defer { unlink(probe) }
      return FileManager.default.createFile(atPath: probe, contents: nil)
        && ExtendedAttributes.set("user.storescope", [1], probe)
    }
  #endif

  /// Doesn't throw, so that a suite can have its folder as a property: if it can't be made, the test fails with the reason.
  package init(_ name: String = "storescope") {
    let folder = Self.parent.appendingPathComponent("\(name)-\(UUID().uuidString)")
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      Issue.record(error)
    }
    path = folder.resolvingSymlinksInPath().path
  }

  deinit {
    // A test may have taken the right to write away.
    chmod(path, 0o700)
    try? FileManager.default.removeItem(atPath: path)
  }

  package func path(_ name: String) -> String { path + "/" + name }

  package func read(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(name))))
  }

  package func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
  }

  package func text(_ name: String) throws -> String { String(decoding: try read(name), as: UTF8.self) }

  /// A folder in it, with those above.
  package func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
  }

  package func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
  }

  package func names(in name: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path(name)).sorted()
  }
}

/// All that reading must leave as it was: the names in a folder, and of each file and of the folder itself the
/// bytes and the time stamps, to the nanosecond.
package struct FolderSnapshot: Equatable, CustomStringConvertible {
  package var entries: [String: Entry] = [:]

  package struct Entry: Equatable {
    package var hash: String
    package var inode: UInt64
    package var size: Int64
    package var mode: UInt32
    package var links: UInt64
    package var modified: Int64
    package var changed: Int64
  }

  package init(_ folder: String) throws {
    entries["."] = try Self.entry(folder)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      entries[name] = try Self.entry(folder + "/" + name)
    }
  }

  private static func entry(_ path: String) throws -> Entry {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      throw StoreScopeError(.failed, "\(path): \(Platform.lastError())")
    }
    var hash = ""
    if status.st_mode & S_IFMT == S_IFREG {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
      hash = bytes.withUnsafeBytes { SHA256.hexadecimal(of: $0) }
    }
    #if canImport(Darwin)
      let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
    #else
      let (modified, changed) = (status.st_mtim, status.st_ctim)
    #endif
    return Entry(
      hash: hash, inode: UInt64(status.st_ino), size: Int64(status.st_size), mode: UInt32(status.st_mode),
      links: UInt64(status.st_nlink), modified: nanoseconds(modified), changed: nanoseconds(changed))
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  package var description: String {
    entries.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: "\n")
  }
}

/// Every file below a folder, by its path in it, with its hash.
package enum FileTree {
  /// - Parameter isWanted: whether a path below the folder counts.
  package static func hashes(_ folder: String, where isWanted: (String) -> Bool = { _ in true }) throws
    -> [String: String]
  {
    var hashes: [String: String] = [:]
    guard let names = FileManager.default.enumerator(atPath: folder) else { return hashes }
    for case let name as String in names where isWanted(name) {
      var isFolder: ObjCBool = false
      let path = "\(folder)/\(name)"
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
        continue
      }
      let data = try Data(contentsOf: URL(fileURLWithPath: path))
      hashes[name] = data.withUnsafeBytes { SHA256.hexadecimal(of: $0) }
    }
    return hashes
  }
}

extension ExtendedAttributes {
  /// - Returns: false where the file system, or the user's rights, don't let that be.
  @discardableResult
  package static func set(_ name: String, _ value: [UInt8], _ path: String) -> Bool {
    guard let file = OpenFile(path, for: .reading) else { return false }
    return set(name, value, ofOpenFile: file.descriptor)
  }
}
