import Foundation
package import SystemCalls

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

  package init(_ name: String = "storescope") throws {
    let folder = Self.parent.appendingPathComponent("\(name)-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
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

  package func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
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
