import Base
import SQLite

/// Pages of objects' values that have no room in memory, in a temporary database: SQLite deletes its file as soon as it
/// is open, and writes it only once there is more than it keeps in memory. https://www.sqlite.org/inmemorydb.html#temp_db
final class SpilledPages {
  /// Of the file, of which a command may have several. A forged store's keys may lie so far apart that each needs a page
  /// of its own.
  private static let mostBytes = 256 << 20
  private static let bytesOfFilePage = 8192

  private let connection: Connection
  private let insertion: Statement
  private let search: Statement
  /// Without a journal nothing is sure after the first one: https://www.sqlite.org/pragma.html#pragma_journal_mode
  private var failure: (any Error)?

  /// - Throws: `StoreScopeError`, as all of its functions.
  init() throws {
    (connection, insertion, search) = try Self.telling {
      let connection = try Connection(path: "", options: .readWrite(create: true))
      // A table that is an index would put most of these bytes into pages of their own, as less than a quarter of a
      // page may stay in its cell: https://www.sqlite.org/fileformat2.html#cell_payload_overflow_pages
      //
      // Nobody reads what a crash leaves, so nothing is written twice or waited for. The transaction never ends.
      try connection.execute(
        """
        PRAGMA page_size = \(Self.bytesOfFilePage);
        PRAGMA max_page_count = \(Self.mostBytes / Self.bytesOfFilePage);
        PRAGMA journal_mode = OFF;
        PRAGMA synchronous = OFF;
        PRAGMA cache_size = -64;
        CREATE TABLE pages (entity INTEGER, page INTEGER, bytes BLOB, UNIQUE (entity, page));
        BEGIN;
        """)
      return (
        connection,
        try connection.prepare(
          """
          INSERT INTO pages VALUES (?, ?, ?) ON CONFLICT (entity, page) DO UPDATE SET bytes = excluded.bytes
          """),
        try connection.prepare("SELECT bytes FROM pages WHERE entity = ? AND page = ?")
      )
    }
  }

  func write(_ page: ObjectKey, _ bytes: UnsafeRawBufferPointer) throws {
    try remembering {
      try insertion.bind(.integer(page.entity), at: 1)
      try insertion.bind(.integer(page.primaryKey), at: 2)
      try insertion.bind(blob: bytes, at: 3)
      try insertion.run()
    }
  }

  /// Calls `body` with the page's bytes, if it was ever written.
  /// - Returns: whether it was.
  func read(_ page: ObjectKey, _ body: (UnsafeRawBufferPointer) -> Void) throws -> Bool {
    try remembering {
      try search.bind(.integer(page.entity), at: 1)
      try search.bind(.integer(page.primaryKey), at: 2)
      defer { search.reset() }
      guard try search.step() else { return false }
      search.withBytes(0, body)
      return true
    }
  }

  /// Gives every page in the order of the keys, then nil. The bytes last until the next call.
  func all() throws -> () throws -> (page: ObjectKey, bytes: UnsafeRawBufferPointer)? {
    let rows = try remembering {
      try connection.prepare("SELECT entity, page, bytes FROM pages ORDER BY entity, page")
    }
    return {
      try Self.telling {
        guard try rows.step() else { return nil }
        let page = ObjectKey(entity: rows.integer(0), primaryKey: rows.integer(1))
        return rows.withBytes(2) { (page, $0) }
      }
    }
  }

  private func remembering<R>(_ body: () throws -> R) throws -> R {
    if let failure { throw failure }
    do { return try Self.telling(body) } catch {
      failure = error
      throw error
    }
  }

  private static func telling<R>(_ body: () throws -> R) throws -> R {
    do { return try body() } catch let error as SQLiteError where error.isFull {
      throw StoreScopeError(
        .limit,
        "There are too many objects, or their primary keys lie too far apart, to compare them all: they need more than \(mostBytes >> 20) MB in a temporary file, or the disk is full",
        advice: "use 'storescope query STORE' for some of them")
    } catch let error as SQLiteError {
      throw StoreScopeError(
        .failed, "A temporary file for what is known of all objects could not be used: \(error.message)",
        advice: "set TMPDIR to a folder where you may write")
    }
  }
}
