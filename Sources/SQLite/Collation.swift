import CSQLite

extension Connection {
  /// Adds an order of texts. `compare` gets two texts as UTF-8, valid during the call only, and gives a negative number,
  /// zero, or a positive one. If it throws, the statement that compares fails with what was thrown, at its next step:
  /// SQLite itself knows no comparison that fails. https://www.sqlite.org/c3ref/create_collation.html
  package func addCollation(
    name: String,
    _ compare: @escaping (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Int
  ) throws(SQLiteError) {
    let object = Collation(compare: compare, of: self)
    collations.append(object)
    let collation = Unmanaged.passRetained(object)
    let code = sqlite3_create_collation_v2(
      handle, name, SQLITE_UTF8, collation.toOpaque(),
      { context, oneCount, one, otherCount, other in
        guard let context else { return 0 }
        return Unmanaged<Collation>.fromOpaque(context).takeUnretainedValue().order(
          UnsafeRawBufferPointer(start: one, count: Int(oneCount)),
          UnsafeRawBufferPointer(start: other, count: Int(otherCount)))
      },
      { context in
        guard let context else { return }
        Unmanaged<Collation>.fromOpaque(context).release()
      })
    guard code == SQLITE_OK else {
      // Unlike with functions, SQLite doesn't call the destructor then.
      collation.release()
      throw error(code, sql: nil)
    }
  }
}

final class Collation {
  /// Nil once the connection is closed.
  var compare: ((UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Int)?
  private unowned let connection: Connection

  init(
    compare: @escaping (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Int,
    of connection: Connection
  ) {
    self.compare = compare
    self.connection = connection
  }

  fileprivate func order(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Int32 {
    guard let compare, connection.refusal == nil else { return 0 }
    do {
      return Int32(clamping: try compare(one, other))
    } catch {
      connection.refusal = String(describing: error)
      // Otherwise a sort of a million rows would go on to its end.
      sqlite3_interrupt(connection.handle)
      return 0
    }
  }
}
