/// The pages whose newest committed content is in the -wal.
package struct WALPages: Sendable, Equatable {
  package private(set) var pages: Set<UInt32> = []
  /// The store's pages as of the last commit.
  package private(set) var pageCount = 0

  /// Nil if there is no -wal, or nothing committed in it.
  package init?(_ files: StoreFiles) throws {
    guard files.header.usesWAL, let wal = files.wal, wal.size > 0 else { return nil }
    var uncommitted: Set<UInt32> = []
    var committed: Set<UInt32> = []
    var count = 0
    _ = try WALScanner(files.walPath, size: wal.size).scan { frame in
      uncommitted.insert(frame.page)
      guard frame.isCommit else { return true }
      committed.formUnion(uncommitted)
      uncommitted.removeAll(keepingCapacity: true)
      count = Int(frame.pageCount)
      return true
    }
    guard count > 0 else { return nil }
    pages = committed.filter { $0 <= count }
    pageCount = count
  }
}
