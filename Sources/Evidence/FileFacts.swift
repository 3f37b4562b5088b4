package import Base

/// What the file system says of one file. Two that are equal stand for unchanged content.
package struct FileFacts: Sendable, Equatable {
  package var identity: FileIdentity
  /// In bytes.
  package var size: Int64
  /// Nanoseconds since 1970.
  package var modified: Int64

  /// nil where there is no such file. Throws a sentence where it may not be looked at, or is not a regular file.
  /// - Parameter store: the store whose side file this is, which must not be a link: a stranger's would lead to what is the
  ///   reader's own. Nil if it is the store itself.
  package init?(_ path: String, of store: String? = nil) throws {
    guard let status = store == nil ? FileStatus(path) : FileStatus(ofLink: path) else {
      switch Platform.lastFailure {
      case .missing, .notAFolder: return nil
      case .denied:
        throw StoreScopeError.unreadable(
          path, "permission denied for its folder", advice: "Ask its owner for access, or copy the folder")
      default: throw StoreScopeError.unreadable(path, Platform.lastOpeningError())
      }
    }
    guard status.kind == .file else {
      let what = OpenFolder.description(of: status.kind)
      if let store {
        let advice =
          status.kind == .link
          ? "if you made it, put the file itself there; otherwise move it away"
          : path.hasSuffix("-shm") ? "move it away; SQLite makes a new one" : "move it away"
        throw StoreScopeError.unreadable(
          store,
          "'\(path)' is \(what), not a file, and SQLite keeps \(Self.content(of: path)) under that name",
          kind: status.kind == .link ? .refused : .foreign, advice: advice)
      }
      let advice = status.kind == .folder ? "pass a store's file" : "copy its content to a file first"
      throw StoreScopeError.unreadable(path, "it is \(what)", kind: .foreign, advice: advice)
    }
    identity = status.identity
    size = status.size
    modified = status.modified
  }

  /// How many nanoseconds have to go by until any later change of these files shows in a timestamp: one within the same tick
  /// of the clock that stamps files may not. 0 if it shows already; nil if a timestamp lies in the future, where waiting is of
  /// no use.
  static func timeUntilChangesShow(in files: [FileFacts?], at now: Int64) -> Int64? {
    let newest = files.compactMap { $0?.modified }.max() ?? 0
    let (age, isTooOld) = now.subtractingReportingOverflow(newest)
    // Some file systems keep dates so old that their age can't be counted.
    if isTooOld { return 0 }
    return age < 0 ? nil : max(Platform.fileClockTick + 1 - age, 0)
  }

  /// What a side file has, for those who never saw one.
  private static func content(of path: String) -> String {
    path.hasSuffix("-wal")
      ? "the newest commits" : path.hasSuffix("-shm") ? "the index of its -wal" : "its rollback journal"
  }
}

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
