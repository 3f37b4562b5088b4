import Base
import Evidence
import Foundation
import SQLite
import TestSupport
import Testing

/// A link in place of SQLite's files next to a store was followed, and another store's commits came out: a folder that
/// somebody sends can bring one to the reader's own store.
struct LinkedSideFileTests {
  static let suffixes = ["-wal", "-shm", "-journal"]

  private func replace(_ file: String, withLinkTo target: String) throws {
    try? FileManager.default.removeItem(atPath: file)
    try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: target)
  }

  @Test(arguments: suffixes, ["a store's", "nothing", "itself", "/dev/zero"])
  func isRefused(_ suffix: String, _ target: String) throws {
    let mine = try ForgedStore(suffix == "-journal" ? .hotJournal : .walAndShm)
    let sent = try ForgedStore(.walClean)
    let link = sent.path + suffix
    try replace(link, withLinkTo: ["a store's": mine.path + suffix, "itself": link][target] ?? target)
    let before = try (FolderSnapshot(mine.folder.path), FolderSnapshot(sent.folder.path))
    for ago in [nil, 1] {
      let error = #expect(throws: StoreScopeError.self) {
        try StoreOpener.open(path: sent.path, asOfCommit: ago)
      }
      let text = try #require(error).description
      #expect(text.contains("'\(Self.real(link))' is a link, not a file"), "\(text)")
    }
    #expect(try FolderSnapshot(mine.folder.path) == before.0)
    #expect(try FolderSnapshot(sent.folder.path) == before.1)
  }

  /// Also that of the store itself, moved elsewhere: a journal has to be rolled back next to its store.
  @Test(arguments: [ForgedStore.State.walWithoutShm, .walAndShm, .hotJournal])
  func ownFilesElsewhere(_ state: ForgedStore.State) throws {
    let store = try ForgedStore(state)
    let suffix = state == .hotJournal ? "-journal" : "-wal"
    let other = TemporaryFolder()
    try FileManager.default.moveItem(atPath: store.path + suffix, toPath: other.path("moved"))
    try replace(store.path + suffix, withLinkTo: other.path("moved"))
    let error = #expect(throws: StoreScopeError.self) { try StoreOpener.open(path: store.path) }
    #expect(error?.kind == .refused && error?.description.contains("is a link, not a file") == true)
  }

  /// The store itself may be a link: what belongs to it lies where that leads.
  @Test func theStoreMayBeALink() throws {
    let store = try ForgedStore(.walAndShm)
    let folder = TemporaryFolder()
    try replace(folder.path("link"), withLinkTo: store.path)
    let opened = try StoreOpener.open(path: folder.path("link"))
    #expect(try opened.connection.value("SELECT COUNT(*) FROM t") == .integer(700))
  }

  /// Whoever sent the folder may exchange a file for a link once it was looked at, so what opens files follows none either.
  @Test(arguments: ["overlay", "reader"]) func nothingFollowsALink(_ way: String) throws {
    for (state, suffix) in [(ForgedStore.State.walWithoutShm, "-wal"), (.hotJournal, "-journal")] {
      let mine = try ForgedStore(state)
      let store = try ForgedStore(state)
      try replace(store.path + suffix, withLinkTo: mine.path + suffix)
      #expect(throws: SQLiteError.self, "\(suffix)") {
        let connection = try Connection(path: store.path, options: way == "overlay" ? .overlay() : .readOnly)
        _ = try connection.value("SELECT COUNT(*) FROM t")
      }
    }
    let store = try ForgedStore(.walWithoutShm)
    let other = TemporaryFolder()
    try replace(other.path("a-wal"), withLinkTo: store.path + "-wal")
    #expect(throws: (any Error).self) { try WALIndex(path: other.path("a-wal"), size: 1 << 20) }
  }

  /// Two links in turn, as fast as they go: what is read is the store's own state, or a sentence comes.
  @Test func exchangedWhileItIsRead() async throws {
    let mine = try ForgedStore(.walWithoutShm)
    let store = try ForgedStore(.walClean)
    let wal = store.path + "-wal"
    let changes = Task.detached {
      while !Task.isCancelled {
        symlink(mine.path + "-wal", wal)
        unlink(wal)
        await Task.yield()
      }
    }
    var read = 0
    for _ in 0..<50 {
      do {
        try StoreOpener.withStore(path: store.path) { opened in
          let count = try opened.connection.value("SELECT COUNT(*) FROM t")
          #expect(count == .integer(500))
          read += 1
        }
      } catch is StoreScopeError {
      } catch is StoreChangedError {}
    }
    changes.cancel()
    await changes.value
    #expect(read > 0)
  }

  private static func real(_ path: String) -> String {
    let parts = path.split(separator: "/")
    let folder = "/" + parts.dropLast().joined(separator: "/")
    return (realpath(folder, nil).map { String(cString: $0) } ?? folder) + "/" + (parts.last ?? "")
  }
}
