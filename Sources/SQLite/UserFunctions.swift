import Base
import CSQLite

/// The arguments of one call of a user function, counted from 0. Valid during the call only.
package struct FunctionArguments {
  fileprivate let values: UnsafeMutablePointer<OpaquePointer?>?
  package let count: Int

  /// One argument; an index past the end reads as NULL.
  package func cell(_ index: Int) -> Cell {
    Cell(handle: index >= 0 && index < count ? values?[index] : nil)
  }

  package func type(_ index: Int) -> SQLiteType { cell(index).type }
  package func isNull(_ index: Int) -> Bool { cell(index).type == .null }
  package func integer(_ index: Int) -> Int64 { cell(index).integer }
  package func real(_ index: Int) -> Double { cell(index).real }
  package func text(_ index: Int) -> String { cell(index).text }
  package func bytes(_ index: Int) -> [UInt8] { cell(index).bytes }
  package func value(_ index: Int) -> SQLiteValue { cell(index).value }

  package func optionalInteger(_ index: Int) -> Int64? { isNull(index) ? nil : integer(index) }
  package func optionalReal(_ index: Int) -> Double? { isNull(index) ? nil : real(index) }
  package func optionalText(_ index: Int) -> String? { isNull(index) ? nil : text(index) }
  package func optionalBytes(_ index: Int) -> [UInt8]? { isNull(index) ? nil : bytes(index) }

  /// As `Statement.withBytes`.
  package func withBytes<R>(_ index: Int, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try cell(index).withBytes(body)
  }
}

package typealias FunctionResult = SQLiteValue

extension Connection {
  /// Adds an SQL function. `argumentCount` nil takes any number of arguments. What `body` throws becomes the
  /// statement's error, with its code where it is SQLite's. It may be called fewer times than there are rows.
  ///
  /// The function counts as harmless (https://www.sqlite.org/c3ref/c_deterministic.html), so that views may call
  /// it: `body` must not write anything anywhere.
  package func addFunction(
    name: String, argumentCount: Int?, _ body: @escaping (FunctionArguments) throws -> FunctionResult
  ) throws(SQLiteError) {
    let flags = SQLITE_UTF8 | SQLITE_INNOCUOUS | SQLITE_DETERMINISTIC
    let object = UserFunction(name: name, body: body, of: self)
    functions.append(object)
    let function = Unmanaged.passRetained(object)
    // SQLite calls the destructor also where adding goes wrong, so nothing is left to release here.
    let code = sqlite3_create_function_v2(
      handle, name, Int32(clamping: argumentCount ?? -1), flags, function.toOpaque(),
      { context, count, values in
        guard let pointer = sqlite3_user_data(context) else { return }
        let function = Unmanaged<UserFunction>.fromOpaque(pointer).takeUnretainedValue()
        do {
          let result = try function.body?(FunctionArguments(values: values, count: Int(count)))
          setResult(result ?? .null, of: context)
        } catch {
          function.report(error)
          let failure = failure(of: error)
          sqlite3_result_error(context, failure.text, -1)
          sqlite3_result_error_code(context, failure.code)
        }
      }, nil, nil,
      { pointer in
        guard let pointer else { return }
        Unmanaged<UserFunction>.fromOpaque(pointer).release()
      })
    guard code == SQLITE_OK else { throw error(code, sql: nil) }
  }
}

extension Connection {
  package func hasFunction(named name: String) -> Bool { functions.contains { $0.name == name } }
}

/// An error on its way through SQLite: damage, or a stop, that a function met while it read stays what it is.
func failure(of error: any Error) -> (code: Int32, text: String) {
  let known = error as? SQLiteError
  return (known?.code ?? SQLITE_ERROR, known?.message ?? error.clause)
}

final class UserFunction {
  let name: String
  /// Nil once the connection is closed.
  var body: ((FunctionArguments) throws -> FunctionResult)?
  private unowned let connection: Connection

  init(
    name: String, body: @escaping (FunctionArguments) throws -> FunctionResult, of connection: Connection
  ) {
    self.name = name
    self.body = body
    self.connection = connection
  }

  /// What refuses its arguments in words of ours is no failure of SQLite's.
  fileprivate func report(_ error: any Error) {
    if let error = error as? SQLiteError, error.isLimit { connection.refusal = error.message }
  }
}

func setResult(_ value: SQLiteValue, of context: OpaquePointer?) {
  switch value {
  case .null: sqlite3_result_null(context)
  case .integer(let number): sqlite3_result_int64(context, number)
  case .real(let number): sqlite3_result_double(context, number)
  case .text(var text):
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        guard let start = $0.baseAddress else {
          return sqlite3_result_text(context, "", 0, storescope_sqlite_transient())
        }
        sqlite3_result_text64(
          context, start, sqlite3_uint64($0.count), storescope_sqlite_transient(), UInt8(SQLITE_UTF8))
      }
    }
  case .blob(let bytes):
    bytes.withUnsafeBytes {
      guard let start = $0.baseAddress, !$0.isEmpty else { return sqlite3_result_zeroblob(context, 0) }
      sqlite3_result_blob64(context, start, sqlite3_uint64($0.count), storescope_sqlite_transient())
    }
  }
}

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
