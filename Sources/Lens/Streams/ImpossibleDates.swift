import SQLite
import Values

extension Connection {
  /// Which of these columns have a date that no calendar has. Cheaper than to decode the rows, of which only the stored numbers
  /// are read.
  /// - Parameters:
  ///   - columns: names, each with the SQL that its dates are read by.
  ///   - rows: SQL from `FROM` on.
  func impossibleDates(in columns: [(name: String, sql: String)], _ rows: String, limit: Int) throws -> Set<
    String
  > {
    guard !columns.isEmpty, limit > 0 else { return [] }
    let (first, last) = (CoreDataDate.calendar.lowerBound, CoreDataDate.calendar.upperBound)
    let asked = columns.indices.map { index in
      "MAX(typeof(c\(index)) IN ('integer', 'real') AND c\(index) NOT BETWEEN \(first) AND \(last))"
    }
    let selected = columns.enumerated().map { "\($1.sql) AS c\($0)" }
    let sql = """
      SELECT \(asked.joined(separator: ", ")) FROM (
        SELECT \(selected.joined(separator: ", ")) \(rows)\(limit == .max ? "" : " LIMIT \(limit)"))
      """
    return try self.first(sql) { row in
      Set(columns.indices.filter { row.integer($0) == 1 }.map { columns[$0].name })
    } ?? []
  }
}
