import Lens
import SQLite
import StoreModel

/// SQL that the user wrote, made to mean what people mean: dates compare by time, a to-one relationship can be compared
/// with an object's address, and dotted names lead into properties.
enum UserSQL {
  /// SQL of this length has millions of tokens.
  private static let longest = 4 << 20

  /// - Parameters:
  ///   - parameters: the values of parameters, by name.
  ///   - entity: whose columns a condition names; nil for a statement.
  ///   - compile: gets the SQL as it was written first, so that errors are about that.
  static func compiled<R>(
    _ sql: String, _ parameters: [String: String] = [:], of entity: SchemaEntity? = nil,
    in store: CoreDataStore,
    _ compile: (String) throws -> R
  ) throws -> R {
    try SQLHabits.checkQuotes(sql)
    let (sql, written) = try read(sql, of: entity, in: store, compile)
    let readsDates = store.connection.lastStatementCalls(DateOrder.function)
    // Every written value has a quote, and so few other statements are looked at.
    let hasValues = readsDates || sql.utf8.contains(UInt8(ascii: "'"))
    guard hasValues || sql.utf8.contains(UInt8(ascii: "=")) || sql.lowercased().contains("uri") else {
      return written
    }
    guard sql.utf8.count <= longest else {
      guard hasValues else { return written }
      throw SQLiteError(
        refusal:
          "the SQL is longer than \(longest >> 20) MB, so what it compares dates and strings with can't be checked; pass long lists in several queries"
      )
    }
    var tokens = StatementTokens(sql)
    try SQLHabits.check(tokens)
    if readsDates, let day = tokens.unquotedDay {
      throw SQLiteError(
        refusal:
          "\(day.text) is \(day.isDivision ? "a division" : "a subtraction"), so nothing is compared with that day: write '\(day.day)'"
      )
    }
    try DateSpelling.checkStored(tokens, in: store)
    if readsDates { try DateSpelling.check(tokens, parameters, in: store) }
    var changed = try WrittenValues.resolved(tokens, parameters, of: entity, in: store)
    if readsDates {
      if let changed { tokens = StatementTokens(changed) }
      if let years = WrittenYears.resolved(tokens, in: store) {
        changed = years
        tokens = StatementTokens(years)
      }
    }
    let ordered = readsDates ? DateComparisons.ordered(tokens, parameters, in: store) : nil
    guard let meant = ordered ?? changed else { return written }
    do { return try compile(meant) } catch let error as SQLiteError where error.primaryCode == 1 {
      // As it was written, the answer might be wrong.
      throw SQLiteError(
        refusal: error.message.hasPrefix(ColumnHint.mark)
          ? "an object's primary key is compared here with a URI, which is never equal: compare keys with pk, or URIs with uri"
          : "a date is compared here in a way that can't be checked, so the SQL isn't run: put unixepoch(…) around both sides, or simplify the comparison"
      )
    }
  }

  /// The SQL as it was written, or with its dotted names resolved if SQLite can't read them: what it can read means
  /// what it says, as `trip.title` does where a table is called so.
  private static func read<R>(
    _ sql: String, of entity: SchemaEntity?, in store: CoreDataStore, _ compile: (String) throws -> R
  ) throws -> (sql: String, result: R) {
    do { return (sql, try compile(sql)) } catch let error as SQLiteError
      where error.primaryCode == 1 && !error.isLimit
    {
      guard let resolved = WrittenPaths.resolved(sql, of: entity, in: store) else { throw error }
      do { return (resolved, try compile(resolved)) } catch let other as SQLiteError {
        // The next name that isn't known, rather than one that is.
        throw other.message.hasPrefix(ColumnHint.mark) ? other : error
      }
    }
  }
}
