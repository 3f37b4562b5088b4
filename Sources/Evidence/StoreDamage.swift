import SQLite
import Values

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
