import Lens
import SQLite
import StoreModel

/// SQL that the user wrote. SQLite gets it as it was typed; only if it can't read it, with its dotted paths resolved.
enum UserSQL {
  /// - Parameters:
  ///   - entity: whose columns a condition names; nil for a statement.
  ///   - compile: gets the SQL, and the paths that were resolved in it.
  static func compiled<R>(
    _ sql: String, of entity: SchemaEntity? = nil, in store: CoreDataStore,
    _ compile: (String, DottedPaths?) throws -> R
  ) throws -> R {
    let result: R
    do { result = try compile(sql, nil) } catch let error as SQLiteError
      where error.isMistake
    {
      guard let paths = DottedPaths(sql, of: entity, in: store) else { throw error }
      do { result = try compile(paths.sql, paths) } catch let other as SQLiteError {
        // What is wrong apart from the paths. Its place isn't one in what was typed.
        let isSyntax = other.message.hasSuffix("syntax error")
        throw isSyntax ? error : SQLiteError(code: other.code, message: other.message)
      }
    }
    if store.connection.lastStatementCalls(DateOrder.function) {
      try DateOperands(sql, of: entity, in: store).check()
    }
    return result
  }
}
