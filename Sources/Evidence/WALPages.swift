import SystemCalls

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
