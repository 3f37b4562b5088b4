import Base
import SQLite

/// Damage of a store's files that shows without reading all of a large one.
package struct StoreDamage: Sendable, Equatable {
  /// `pairing`: the main file is whole, and the -wal next to it isn't its own.
  package enum Part: Sendable { case main, wal, pairing }

  package let part: Part
  /// What is wrong, without a capital letter and without a full stop.
  package let clause: String

  package static let foreignWAL =
    "the -wal next to it belongs to another store, or to another copy of this one, and isn't read"

  /// What whole files are called that aren't each other's.
  package static let mismatched = "Mismatched files"

  /// `Damaged: it is cut off`
  package var headline: String { "\(part == .pairing ? Self.mismatched : "Damaged"): \(clause)" }
}

extension OpenedStore {
  /// SQLite's check reads all of a store: of this many bytes in about a twentieth of a second.
  static let largestChecked: Int64 = 32_000_000

  /// What shows at a glance; nil if nothing does, which proves nothing of a store too large to be checked so.
  /// - Throws: `SQLiteError` if it was interrupted; what keeps the -wal from being read.
  package func damage() throws -> StoreDamage? {
    if way == .withoutWAL {
      return StoreDamage(part: .pairing, clause: StoreDamage.foreignWAL)
    }
    if files.isInWALAlone { return StoreDamage(part: .main, clause: StoreFiles.inWALAlone) }
    let missing = try missingPages()
    if missing > 0 {
      return StoreDamage(part: .main, clause: "it is \(files.cutOff(missing))")
    }
    if readsWholeWAL, let wal = files.wal, wal.size <= Self.largestChecked, let tail = try walIndex()?.tail,
      tail.isDamage
    {
      return StoreDamage(part: .wal, clause: "its -wal is \(tail.sentence)")
    }
    guard files.main.size <= Self.largestChecked else { return nil }
    return try check().problems.first.map {
      StoreDamage(part: .main, clause: "SQLite's check finds damage: \($0)")
    }
  }

  /// How many pages neither the main file nor its -wal has, if that is plain.
  package func missingPages() throws -> Int {
    if way == .withoutWAL { return 0 }
    guard files.missingPages == 0, readsWholeWAL else { return files.missingPages }
    return try WALFit.missingPages(files)
  }

  /// Whoever writes to it may be within a frame, and an earlier state has none of its end.
  private var readsWholeWAL: Bool {
    if case .past = way { return false }
    return holder == nil
  }
}

/// How a -wal fits the main file next to it. A -wal's checksums prove that it is whole, and nothing more: next to another
/// store, or an older copy of its own, SQLite mixes pages of the two.
/// https://www.sqlite.org/howtocorrupt.html#_mispairing_database_files_and_hot_journals
enum WALFit {
  private static let largestChecked = OpenedStore.largestChecked

  /// Whether something is wrong with the store as both files make it.
  static func isDoubtful(_ opened: OpenedStore) throws -> Bool {
    let files = opened.files
    guard try missingPages(files) == 0 else { return true }
    guard files.main.size + (files.wal?.size ?? 0) <= largestChecked else { return false }
    return try !opened.check().ofPages.isEmpty
  }

  /// Whether the main file is a whole store by itself.
  static func isWhole(withoutWAL opened: OpenedStore) throws -> Bool {
    let files = opened.files
    guard let pageCount = files.header.pageCount,
      Int64(pageCount) == files.main.size / Int64(files.header.pageSize),
      try opened.connection.first("SELECT 1 FROM main.sqlite_master LIMIT 1", [], { _ in true }) ?? false
    else { return false }
    return try files.main.size > largestChecked || opened.check().ofPages.isEmpty
  }

  /// How many pages the -wal's last commit counts that neither file has. What a store has gained since its last checkpoint
  /// is in its -wal. 0 for one too large to be read at a glance.
  static func missingPages(_ files: StoreFiles) throws -> Int {
    guard let wal = files.wal, 1...largestChecked ~= wal.size else { return 0 }
    let pages = files.main.size / Int64(files.header.pageSize)
    var (added, pending): (Set<UInt32>, Set<UInt32>) = ([], [])
    var count: UInt32 = 0
    _ = try WALScanner(files.walPath, size: wal.size).scan { frame in
      if Int64(frame.page) > pages { pending.insert(frame.page) }
      guard frame.isCommit else { return true }
      added.formUnion(pending)
      pending.removeAll()
      count = frame.pageCount
      return true
    }
    // SQLite never writes the page with the bytes that it locks.
    let unwritten = Int64(0x4000_0000 / files.header.pageSize + 1)
    let hasUnwritten = unwritten > pages && unwritten <= Int64(count)
    return max(0, Int(count) - Int(pages) - added.count { $0 <= count } - (hasUnwritten ? 1 : 0))
  }
}
