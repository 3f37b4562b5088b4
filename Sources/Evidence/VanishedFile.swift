import SystemCalls
import Values

extension OpenFile {
  /// A file of a store, for reading. Its kind was checked before, by `FileFacts`, and `path` is one without links: what is a
  /// link by now was put there meanwhile.
  /// - Throws: `VanishedFile` if there is no such file any more; else a sentence about `path`.
  static func ofStore(_ path: String) throws -> OpenFile {
    if let file = OpenFile(path, for: .readingNoLink) { return file }
    switch Platform.lastFailure {
    case .missing, .link: throw VanishedFile(path: path)
    case .denied:
      throw StoreScopeError.unreadable(
        path, "permission denied", advice: "Copy it, or ask its owner for read access")
    default: throw StoreScopeError.unreadable(path, Platform.lastOpeningError())
    }
  }
}

/// A file that was there at the last look. Processes take the -wal and the journal away, and make others, all the time,
/// so that this is a reason to look again.
struct VanishedFile: Error, CustomStringConvertible {
  let path: String

  var description: String { "can't open '\(path)': it was removed or replaced in the meantime; try again" }

  /// Calls `body` until nothing that it looks for goes meanwhile, or for two seconds.
  static func retrying<R>(_ body: () throws -> R) throws -> R {
    let end = Platform.monotonicSeconds() + 2
    while true {
      do { return try body() } catch let error as VanishedFile {
        guard Platform.monotonicSeconds() < end else { throw error }
        Platform.pause(seconds: 0.001)
      }
    }
  }
}
