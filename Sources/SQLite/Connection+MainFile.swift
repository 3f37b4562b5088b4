import CSQLite

/// The main file's bytes, read without a second descriptor: closing one would drop the locks that SQLite holds
/// (https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_).
extension Connection {
  /// The main file's size in bytes, as it is on disk.
  package func mainFileSize() throws(SQLiteError) -> Int64 {
    var size: sqlite3_int64 = 0
    let code = storescope_main_size(handle, &size)
    guard code == SQLITE_OK else {
      throw SQLiteError(code: code, message: "the size of the store's file can't be determined")
    }
    return size
  }

  /// Fills the buffer with bytes from that place of the main file; all of them must be there.
  package func readMainFile(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SQLiteError)
  {
    let code = storescope_read_main(handle, buffer.baseAddress, Int32(clamping: buffer.count), offset)
    guard code == SQLITE_OK else {
      throw SQLiteError(code: code, message: "the store's file can't be read at byte \(offset)")
    }
  }

  /// Whether the name that the main file was opened by leads to another file now, or to none. The name's own identity
  /// can't show that the file behind SQLite's descriptor is another one.
  /// https://www.sqlite.org/c3ref/c_fcntl_begin_atomic_write.html#sqlitefcntlhasmoved
  package var mainFileHasMoved: Bool {
    var moved: Int32 = 0
    return sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0
  }

  /// Calls `body` with the table of every row that is inserted, updated or deleted from now on; nil ends it.
  /// https://www.sqlite.org/c3ref/update_hook.html
  package func onRowChange(_ body: ((RowChange, String) -> Void)?) {
    rowChange = body
    guard body != nil else {
      sqlite3_update_hook(handle, nil, nil)
      return
    }
    sqlite3_update_hook(
      handle,
      { context, kind, _, table, _ in
        guard let context, let table else { return }
        let change: RowChange =
          switch kind {
          case SQLITE_INSERT: .insert
          case SQLITE_DELETE: .delete
          default: .update
          }
        Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue().rowChange?(
          change, String(cString: table))
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}

/// What happened to a row.
package enum RowChange: String, Sendable, Hashable, CaseIterable {
  case insert, update, delete
}
