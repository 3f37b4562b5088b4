import Base
package import SQLite

/// How SQL has the dates of views: texts such as `2026-03-20 12:00:00.000000Z`, always in UTC and always as long, so that
/// the order of the texts is the order of time wherever SQL takes them: in `MAX`, `COALESCE`, `CASE` and subqueries too.
///
/// People compare them with shorter texts, and '12:00' isn't equal to '12:00:00.000000Z'. A view's date column therefore
/// has a collating sequence of its own, which compares by time
/// (https://www.sqlite.org/datatype3.html#collating_sequences), and the type TEXT, so that numbers come here too. What is
/// no date is refused: silence would be a wrong answer.
package enum DateOrder {
  package static let name = "moment"
  /// What makes a date of seconds: views call it.
  package static let function = "iso_date"

  static func install(in connection: Connection) throws {
    let order = Order()
    try connection.addCollation(name: name) { try order.compare($0, $1) }
    try connection.addFunction(name: function, argumentCount: 1) { arguments in
      guard [.integer, .real].contains(arguments.type(0)) else { return .null }
      return CoreDataDate(seconds: arguments.real(0)).sqlText.map(SQLiteValue.text) ?? .null
    }
  }

  /// A date column's SQL.
  static func sql(_ seconds: String) -> String { "CAST(\(function)(\(seconds)) AS TEXT) COLLATE \(name)" }

  /// Why a date column isn't compared with a number, and can't be calculated with.
  package static func refusal(of column: String) -> SQLiteError {
    SQLiteError(
      refusal:
        "\(column) is a date, which is a text here: compare it with one in quotes, such as '2026-03-20 12:00', or use \(functions(column))"
    )
  }

  private static func functions(_ column: String) -> String {
    "core_data_date(\(column)) for seconds since 2001, unixepoch(\(column)) since 1970, or julianday(\(column)) for days"
  }

  private struct NoDate: Error, CustomStringConvertible {
    let text: String

    var description: String {
      let forms = "write it like '2026-03-20' or '2026-03-20 12:00', or as datetime('now', '-1 day')"
      return
        "a date can't be compared with '\(text)': \(Double(text) == nil ? forms : "use \(functions("COLUMN"))")"
    }
  }

  /// Remembers what it was last compared with, as that is the same text for every row.
  private final class Order {
    private var lastText: [UInt8]?
    private var lastTime: Int64 = 0

    func compare(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) throws -> Int {
      // All of them have one width, so that their bytes have the order of time.
      let (isFirstOurs, isSecondOurs) = (ISO8601.hasSQLForm(one), ISO8601.hasSQLForm(other))
      if isFirstOurs, isSecondOurs { return Self.order(one, other) }
      // Other texts come here by way of COLLATE.
      if !isFirstOurs, !isSecondOurs {
        guard let first = ISO8601.microseconds(one), let second = ISO8601.microseconds(other) else {
          return Self.order(one, other)
        }
        return first < second ? -1 : first == second ? 0 : 1
      }
      // An impossible date that a store made up is a text like any other.
      guard ISO8601.microseconds(isFirstOurs ? one : other) != nil else { return Self.order(one, other) }
      let (first, second) = (try time(one), try time(other))
      return first < second ? -1 : first == second ? 0 : 1
    }

    private static func order(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Int {
      for index in 0..<min(one.count, other.count) where one[index] != other[index] {
        return one[index] < other[index] ? -1 : 1
      }
      return one.count - other.count
    }

    private func time(_ text: UnsafeRawBufferPointer) throws -> Int64 {
      if let lastText, text.elementsEqual(lastText) { return lastTime }
      guard let time = WrittenDate(text)?.microseconds else {
        throw NoDate(text: String(decoding: text.prefix(64), as: UTF8.self))
      }
      // A row's own date changes from row to row; what it is compared with doesn't.
      if !ISO8601.hasSQLForm(text) { (lastText, lastTime) = (Array(text), time) }
      return time
    }
  }
}

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
    let isBeyond = columns.indices.map { "c\($0) NOT BETWEEN \(first) AND \(last)" }
    let asked = columns.indices.map { "MAX(typeof(c\($0)) IN ('integer', 'real') AND \(isBeyond[$0]))" }
    let selected = columns.enumerated().map { "\($1.sql) AS c\($0)" }
    // Of most rows SQLite does no more than compare the cells; a text is beyond every number.
    let sql = """
      SELECT \(asked.joined(separator: ", ")) FROM (
        SELECT \(selected.joined(separator: ", ")) \(rows)\(limit == .max ? "" : " LIMIT \(limit)"))
      WHERE \(isBeyond.joined(separator: " OR "))
      """
    return try self.first(sql) { row in
      Set(columns.indices.filter { row.integer($0) == 1 }.map { columns[$0].name })
    } ?? []
  }
}
