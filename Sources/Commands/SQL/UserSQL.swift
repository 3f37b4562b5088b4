import Lens
import SQLite
import StoreModel

/// SQL that the user wrote, made to mean what people mean: dates compare by time, and a to-one relationship can be compared
/// with an object's address.
enum UserSQL {
  /// - Parameters:
  ///   - parameters: the values of parameters, by name.
  ///   - entity: whose columns a condition names; nil for a statement.
  ///   - compile: gets the SQL as it was written first, so that errors are about that.
  static func compiled<R>(
    _ sql: String, _ parameters: [String: String] = [:], of entity: SchemaEntity? = nil,
    in store: CoreDataStore,
    _ compile: (String) throws -> R
  ) throws -> R {
    let written = try compile(sql)
    let readsDates = store.connection.lastStatementCalls(DateOrder.function)
    let addressed = try WrittenValues.resolved(sql, of: entity, in: store)
    let ordered = readsDates ? try DateComparisons.ordered(addressed ?? sql, parameters, in: store) : nil
    guard let meant = ordered ?? addressed else { return written }
    do { return try compile(meant) } catch let error as SQLiteError
      where error.primaryCode == 1 && ordered != nil
    {
      // As it was written, the answer might be wrong.
      throw SQLiteError(
        refusal:
          "a date is compared here in a way that can't be checked, so the SQL isn't run: put unixepoch(…) around both sides, or simplify the comparison"
      )
    }
  }
}
