import Base
import CSQLite

/// The system's VFS, kept from three things that it does to the files of a store even for a connection that only
/// reads: it opens the -wal for writing, which makes one where the last writer has just taken it away; where
/// the process is root it sets the owner of -wal, -shm and journal, which moves their timestamps; and what it reads
/// gets a new time of last access.
enum ReaderVFS {
  /// The name to open with; nil where the system's VFS is of a kind we don't know.
  static let name: String? = register()

  private static let registeredName = "storescope-reader"

  private static func register() -> String? {
    guard let system = sqlite3_vfs_find(nil), let name = Platform.copyForC(registeredName) else { return nil }
    // A copy may be used in place of the original: its functions know it by what `pAppData` points to.
    let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    vfs.initialize(to: system.pointee)
    vfs.pointee.pNext = nil
    vfs.pointee.zName = UnsafePointer(name)
    vfs.pointee.xOpen = { _, name, file, flags, outFlags in
      guard let system = sqlite3_vfs_find(nil) else { return SQLITE_CANTOPEN }
      var flags = flags
      if flags & SQLITE_OPEN_WAL != 0 {
        flags = flags & ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) | SQLITE_OPEN_READONLY
      }
      return system.pointee.xOpen(system, name, file, flags, outFlags)
    }
    guard sqlite3_vfs_register(vfs, 0) == SQLITE_OK else { return nil }
    if system.pointee.iVersion >= 3 {
      if let change = LibraryCalls.changeOwner {
        _ = system.pointee.xSetSystemCall?(
          system, "fchown", unsafeBitCast(change, to: sqlite3_syscall_ptr.self))
      }
      // All that SQLite opens for reading goes through this function: https://www.sqlite.org/c3ref/vfs.html
      if let open = LibraryCalls.open {
        _ = system.pointee.xSetSystemCall?(system, "open", unsafeBitCast(open, to: sqlite3_syscall_ptr.self))
      }
    }
    return registeredName
  }
}

extension Connection {
  /// The longest path of a main file, in bytes, that SQLite opens by itself; an overlay takes any that the system knows.
  package static let longestSystemPath: Int = {
    _ = SQLiteMemory.isCountedHere
    return Int(sqlite3_vfs_find(nil)?.pointee.mxPathname ?? 512) - "-journal".utf8.count
  }()
}
