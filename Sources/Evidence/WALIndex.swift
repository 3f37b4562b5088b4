import Base

/// The transactions that a -wal holds, found by reading it frame by frame as SQLite's own recovery does:
/// https://www.sqlite.org/fileformat2.html#walindexformat
package struct WALIndex: Sendable, Equatable {
  /// One committed transaction.
  package struct Commit: Sendable, Equatable {
    /// Its last frame, counted from 1.
    package var frame: Int
    /// The store's size after it.
    package var pageCount: UInt32
    /// Where its last frame ends in the -wal.
    package var endOffset: Int64
  }

  /// What follows the last valid frame.
  package enum Tail: Sendable, Equatable {
    case end
    /// The file ends within a frame.
    case incompleteFrame(bytes: Int)
    /// Frames that were valid before the WAL was restarted. Usual, as SQLite overwrites it from the start.
    case earlierGeneration
    /// A frame of this generation whose checksum is wrong.
    case badFrame
    /// SQLite would take the whole file for empty.
    case badHeader
  }

  /// In bytes, when it was read.
  package var size: Int64
  /// nil where SQLite would take the WAL for empty.
  package var header: WALHeader?
  /// Valid frames.
  package var frameCount: Int
  /// Oldest first.
  package var commits: [Commit]
  package var tail: Tail

  /// Reads the first `size` bytes of the WAL at `path`. May be called while SQLite has the store open, since no
  /// lock is ever put on a -wal.
  package init(path: String, size: Int64) throws {
    let scanner = try WALScanner(path, size: size)
    self.size = size
    header = scanner.header
    let frameSize = Int64(WALFrame.headerSize + (scanner.header?.pageSize ?? 0))
    var frameCount = 0
    var commits: [Commit] = []
    tail = try scanner.scan { frame in
      frameCount = frame.number
      if frame.isCommit {
        commits.append(
          Commit(
            frame: frame.number, pageCount: frame.pageCount,
            endOffset: Int64(WALHeader.size) + Int64(frame.number) * frameSize))
      }
      return true
    }
    self.frameCount = frameCount
    self.commits = commits
  }

  /// The beginning of the store's first page as the WAL's last commit has it, of the length of its header; empty if the WAL
  /// doesn't have every page of the store.
  static func firstPage(path: String, size: Int64) throws -> [UInt8] {
    var (committed, newest): ([UInt8], [UInt8]) = ([], [])
    var (pages, pending): (Set<UInt32>, Set<UInt32>) = ([], [])
    var count: UInt32 = 0
    _ = try WALScanner(path, size: size).scan { frame in
      pending.insert(frame.page)
      if frame.page == 1 { newest = Array(frame.content.prefix(StoreHeader.size)) }
      guard frame.isCommit else { return true }
      (committed, count) = (newest, frame.pageCount)
      pages.formUnion(pending)
      pending.removeAll()
      return true
    }
    return pages.count { $0 <= count } == Int(count) ? committed : []
  }
}

extension WALIndex.Tail {
  /// For machines.
  package var name: String { facts.name }

  /// Whether something of it was lost.
  package var isDamage: Bool { facts.isDamage }

  /// For people.
  package var sentence: String { facts.sentence }

  private var facts: (name: String, isDamage: Bool, sentence: String) {
    switch self {
    case .end: ("end", false, "whole")
    case .incompleteFrame(let bytes):
      ("incompleteFrame", true, "torn: it ends with \(bytes) bytes of a frame, which are ignored")
    case .earlierGeneration:
      (
        "earlierGeneration", false,
        "followed by frames that belong to no saved transaction, which are ignored"
      )
    case .badFrame:
      (
        "badFrame", true,
        "damaged: a frame's checksum is wrong, so that frame and all after it are ignored"
      )
    case .badHeader: ("badHeader", true, "damaged: its header is invalid, so all of it is ignored")
    }
  }
}

/// The pages whose newest committed content is in the -wal alone. What SQLite has copied to the main file already stays in
/// the -wal until that is reset.
package struct WALPages: Sendable, Equatable {
  package private(set) var pages: Set<UInt32> = []
  /// The store's pages as of the last commit; never 0.
  package private(set) var pageCount = 0

  /// Nil if there is no -wal, or nothing committed in it.
  package init?(_ opened: OpenedStore) throws {
    let files = opened.files
    guard files.header.usesWAL, let wal = files.wal, wal.size > 0, opened.way != .withoutWAL else {
      return nil
    }
    // By page, whether the main file has other bytes.
    var uncommitted: [UInt32: Bool] = [:]
    var committed: [UInt32: Bool] = [:]
    var count = 0
    _ = try WALScanner(files.walPath, size: wal.size).scan { frame in
      uncommitted[frame.page] = !opened.probe.mainHas(
        frame.content, at: Int64(frame.page - 1) * Int64(frame.content.count))
      guard frame.isCommit else { return true }
      committed.merge(uncommitted) { $1 }
      uncommitted.removeAll(keepingCapacity: true)
      count = Int(frame.pageCount)
      return true
    }
    guard count > 0 else { return nil }
    pages = Set(committed.lazy.filter { $0.value && $0.key <= count }.map(\.key))
    pageCount = count
  }
}
