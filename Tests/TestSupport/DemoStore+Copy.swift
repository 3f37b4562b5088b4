package import Forge
import Foundation
import Synchronization

extension DemoStore {
  private static let original = Mutex<TemporaryFolder?>(nil)

  /// As `make`, but a copy of one that was forged before: forging takes as long as dozens of copies.
  package static func copy(in directory: String) throws -> String {
    let original = try original.withLock { kept in
      if let kept { return kept.path }
      let folder = try TemporaryFolder("demo-original")
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
