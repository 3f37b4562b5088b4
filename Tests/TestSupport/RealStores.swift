package import Forge
import Foundation
import Synchronization

/// Stores written by Apple's frameworks, kept next to the project and never in it. Tests that need them are skipped,
/// visibly, where the folder is absent.
package enum RealStores {
  package static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "shared/stores").path

  package static let arePresent = FileManager.default.fileExists(atPath: folder)

  /// Folders with a store and the answer that was wrong.
  package static let cases = (folder as NSString).deletingLastPathComponent + "/cases"

  package static let casesArePresent = FileManager.default.fileExists(atPath: cases)

  /// `project/file`, sorted.
  package static let all: [String] = {
    let enumerator = FileManager.default.enumerator(atPath: folder)
    let names = enumerator?.compactMap { $0 as? String } ?? []
    return names.filter { name in
      ["sqlite", "db", "storedata", "graphdb"].contains((name as NSString).pathExtension)
        && !name.contains("/models/")
    }.sorted()
  }()

  /// A copy, with what lies next to it, in a folder of its own: SQLite changes stores that it opens.
  package static func copy(_ name: String) throws -> (folder: TemporaryFolder, path: String) {
    let folder = TemporaryFolder("real")
    let file = (name as NSString).lastPathComponent
    for suffix in ["", "-wal", "-shm", "-journal"] {
      let source = Self.folder + "/" + name + suffix
      if FileManager.default.fileExists(atPath: source) {
        try FileManager.default.copyItem(atPath: source, toPath: folder.path(file + suffix))
        // The originals are read-only; a store in use is not.
        try FileManager.default.setAttributes(
          [.posixPermissions: 0o644], ofItemAtPath: folder.path(file + suffix))
      }
    }
    return (folder, folder.path(file))
  }
}

extension DemoStore {
  private static let original = Mutex<TemporaryFolder?>(nil)

  /// As `make`, but a copy of one that was forged before: forging takes as long as dozens of copies.
  package static func copy(in directory: String) throws -> String {
    let original = try original.withLock { kept in
      if let kept { return kept.path }
      let folder = TemporaryFolder("demo-original")
      _ = try make(in: folder.path)
      kept = folder
      // Nothing static is let go at the end, and the folder may be in memory.
      atexit { DemoStore.original.withLock { $0 = nil } }
      return folder.path
    }
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    for name in try FileManager.default.contentsOfDirectory(atPath: original) {
      try FileManager.default.copyItem(atPath: original + "/" + name, toPath: directory + "/" + name)
    }
    return directory + "/" + fileName
  }
}
