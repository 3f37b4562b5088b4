import Base

/// The first 100 bytes of a store's main file, https://www.sqlite.org/fileformat2.html#the_database_header
package struct StoreHeader: Sendable, Equatable {
  package enum TextEncoding: UInt32, Sendable {
    case utf8 = 1
    case utf16LittleEndian, utf16BigEndian
  }

  /// Bytes a page, a power of two from 512 to 65536.
  package var pageSize: Int
  /// Whether changes go to a -wal first; else a rollback journal protects them.
  package var usesWAL: Bool
  /// nil where nothing was stored yet, or the number is none that SQLite writes.
  package var textEncoding: TextEncoding?
  /// Counts the transactions of a store that has no WAL.
  package var changeCounter: UInt32
  /// How many pages the file should have; nil where an old writer left the number behind.
  package var pageCount: UInt32?
  package var userVersion: UInt32
  package var applicationID: UInt32
  /// The SQLite that wrote last, as 3040001 for 3.40.1.
  package var writerVersion: UInt32

  static let size = 100
  private static let magic = Array("SQLite format 3\0".utf8)

  /// Whether the file begins as SQLite's do.
  package static func isDatabase(_ path: String) -> Bool {
    (try? FileReader.beginning(of: path, count: magic.count))?.bytes == magic
  }

  /// Whether these are the first bytes of one.
  package static func begins(_ bytes: [UInt8]) -> Bool { bytes.starts(with: magic) }

  /// How long the first page is of a database that begins so; nil if that is no database.
  package static func firstPageSize(_ bytes: [UInt8]) -> Int? {
    guard begins(bytes), bytes.count >= size else { return nil }
    let stored = Int(bytes[16]) << 8 | Int(bytes[17])
    return stored == 1 ? 65536 : max(stored, 512)
  }

  /// Whether these bytes can be a database's first page: SQLite can have written its page size, and the page is part of
  /// a tree. That saves unpacking what only begins like one. https://www.sqlite.org/fileformat2.html#b_tree_pages
  package static func canBeFirstPage(_ page: [UInt8]) -> Bool {
    let (inner, leaf): (UInt8, UInt8) = (0x05, 0x0D)
    guard let length = firstPageSize(page), length & (length - 1) == 0, page.count > size else {
      return false
    }
    return [inner, leaf].contains(page[size]) && Int(page[16]) << 8 | Int(page[17]) != 0
  }

  /// Whether a database that begins so has changes in a -wal, if there is one.
  package static func usesWAL(_ bytes: [UInt8]) -> Bool {
    bytes.count > 19 && (bytes[18] == 2 || bytes[19] == 2)
  }

  /// Whether the first page shows that the database has tables, and Core Data's own isn't among them: that saves reading
  /// the rest of most databases of a device. Only for a schema that is all on this page, in UTF-8, and not in a -wal.
  /// https://www.sqlite.org/fileformat2.html#b_tree_pages
  package static func hasOnlyOtherTables(_ page: [UInt8]) -> Bool {
    let leaf: UInt8 = 0x0D
    guard page.count > size + 8, page[size] == leaf, page[size + 3] != 0 || page[size + 4] != 0,
      page[56..<60].elementsEqual([0, 0, 0, 1])
    else { return false }
    // `.recover` can leave a store without these two tables.
    return ["Z_METADATA", "Z_PRIMARYKEY", "Z_PK INTEGER PRIMARY KEY"].allSatisfy {
      page.firstRange(of: Array($0.utf8)) == nil
    }
  }

  /// Throws a sentence that says what the file is instead, where these bytes are no header.
  init(_ bytes: [UInt8], fileSize: Int64, path: String) throws {
    guard fileSize > 0 else {
      throw StoreScopeError.unreadable(
        path, "it is empty (0 bytes), so no app has saved to it yet", kind: .foreign,
        advice: "look for the store elsewhere")
    }
    guard bytes.count >= Self.size, bytes.starts(with: Self.magic) else {
      let other = Self.otherKind(bytes, fileSize)
      throw StoreScopeError.unreadable(path, other.clause, kind: .foreign, advice: other.advice)
    }
    // 65536 does not fit, and is stored as 1.
    let stored = Int(bytes[16]) << 8 | Int(bytes[17])
    pageSize = stored == 1 ? 65536 : stored
    guard (512...65536).contains(pageSize), pageSize & (pageSize - 1) == 0 else {
      throw StoreScopeError.unreadable(
        path,
        "its header has a page size of \(stored) bytes, which SQLite doesn't support, so the file is damaged",
        kind: .damaged, advice: "restore a backup")
    }
    func number(_ offset: Int) -> UInt32 {
      bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
    usesWAL = Self.usesWAL(bytes)
    textEncoding = TextEncoding(rawValue: number(56))
    changeCounter = number(24)
    pageCount = number(24) == number(92) && number(28) > 0 ? number(28) : nil
    userVersion = number(60)
    applicationID = number(68)
    writerVersion = number(96)
  }

  /// What a file is that begins with other bytes, a clause; and what to do, if that is known.
  package static func otherKind(_ bytes: [UInt8], _ fileSize: Int64) -> (clause: String, advice: String?) {
    let main = "pass the store's main file"
    let kinds: [(beginning: [UInt8], clause: String, advice: String?)] = [
      ([0x37, 0x7f, 0x06, 0x82], "it is the -wal of a store", main),
      ([0x37, 0x7f, 0x06, 0x83], "it is the -wal of a store", main),
      // https://www.sqlite.org/walformat.html#the_wal_index_file_format: the version, in the order of the machine.
      ([0x18, 0xe2, 0x2d, 0x00], "it is the -shm of a store", main),
      ([0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7], "it is a rollback journal", main),
      (Array("bplist".utf8), "it is a binary property list, not an SQLite store", nil),
      (Array("<?xml".utf8), "it is XML (Core Data has XML stores too), not an SQLite store", nil),
      (Array("PK\u{3}\u{4}".utf8), "it is a ZIP archive", nil),
      ([0x1f, 0x8b], "it is a gzip archive", nil),
    ]
    // https://github.com/realm/realm-core/blob/master/src/realm/alloc_slab.hpp (Header)
    if bytes.dropFirst(16).starts(with: Array("T-DB".utf8)) {
      return ("it is a Realm database, not a Core Data store", nil)
    }
    if let kind = kinds.first(where: { bytes.starts(with: $0.beginning) }) {
      return (kind.clause, kind.advice)
    }
    // An encrypted database has no readable header, but still whole pages.
    guard fileSize >= 512, fileSize % 512 == 0 else {
      return (
        "it is not an SQLite database",
        "pass an app's store, such as App.sqlite or default.store; 'storescope find FOLDER' lists those in a folder"
      )
    }
    return ("it is not an SQLite database, or an encrypted one", "decrypt it with the app's key first")
  }
}
