import SQLite
package import StoreModel
import SystemCalls
import Values

/// How SQL compares the dates of views. They are texts, and a text is what people compare them with; but the order
/// of texts isn't the order of time once one of the two is written in another way: '.' sorts before 'Z', 'T' after a
/// blank, and every text after every number.
///
/// A view's date column therefore has a collating sequence of its own, which SQLite uses for comparisons, `ORDER BY`,
/// `IN`, `BETWEEN`, `MIN` and `MAX` (https://www.sqlite.org/datatype3.html#collating_sequences), and the type TEXT, so
/// that numbers come here too. What is no date is refused: silence would be a wrong answer.
package enum DateOrder {
  package static let name = "moment"
  /// The same for what may be a date or not: only a view's date is compared by time, and no text is refused.
  package static let lenientName = "moment_or_text"
  /// What makes a date of seconds: views call it.
  package static let function = "iso_date"
  /// Gives its first argument back, and refuses a date among numbers: SQLite would take every number for less.
  package static let guardName = "comparable"
  /// Makes seconds since 2001 of a date, for arithmetic; SQLite would take the year for it.
  package static let secondsName = "date_seconds"

  static func install(in connection: Connection) throws {
    for isStrict in [true, false] {
      let order = Order(connection, isStrict: isStrict)
      try connection.addCollation(name: isStrict ? name : lenientName) { try order.compare($0, $1) }
    }
    try connection.addFunction(name: function, argumentCount: 1) { arguments in
      guard [.integer, .real].contains(arguments.type(0)) else { return .null }
      return CoreDataDate(seconds: arguments.real(0)).iso8601.map(SQLiteValue.text) ?? .null
    }
    try connection.addFunction(name: guardName, argumentCount: nil) { arguments in
      let types = (0..<arguments.count).map(arguments.type)
      let hasNumber = types.contains(.integer) || types.contains(.real)
      for index in types.indices where hasNumber && types[index] == .text {
        guard arguments.withBytes(index, { ISO8601.microseconds($0) }) != nil else { continue }
        throw SQLiteError(
          refusal:
            "a date can't be compared with a number here: write a text such as '2026-03-20' for the number, iso_date(…) around seconds since 2001, or unixepoch(…) around the date"
        )
      }
      return arguments.value(0)
    }
    // 'now' changes.
    try connection.addFunction(name: secondsName, argumentCount: 1, deterministic: false) { arguments in
      guard arguments.type(0) == .text else { return arguments.value(0) }
      let time = try arguments.withBytes(0) { text in
        do { return try microseconds(text, now: currentTime) } catch {
          let word = String(decoding: text.prefix(64), as: UTF8.self)
          throw SQLiteError(
            refusal:
              "'\(word)' can't be added to a date or subtracted from one: write a number of seconds, or a date"
          )
        }
      }
      return .real(CoreDataDate(unixMicroseconds: time).seconds)
    }
  }

  private static func currentTime() -> Int64 {
    ISO8601.microseconds(coreDataSeconds: Platform.now().seconds) ?? 0
  }

  /// The names of date columns in the store's views, and those of all others, in lower case. A name may be both.
  package static func columns(of store: CoreDataStore) -> (dates: Set<String>, others: Set<String>) {
    var (dates, others) = (Set<String>(), Set(ViewNames.identity))
    for entity in store.schema.entities {
      let attributes = entity.attributes.flatMap(\.leaves).filter { $0.description.type == .date }
      let paths = Set(attributes.map(\.path))
      for (property, name) in View.entityColumns(of: entity) {
        if paths.contains(property) {
          dates.insert(name.lowercased())
        } else {
          others.insert(name.lowercased())
        }
      }
    }
    for column in MirrorViews.documented.flatMap(\.columns) {
      if column.type == .date {
        dates.insert(column.name.lowercased())
      } else {
        others.insert(column.name.lowercased())
      }
    }
    return (dates, others)
  }

  /// Whether a text is a date as people write it, or seconds since 2001.
  package static func isDate(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { (try? microseconds(UnsafeRawBufferPointer($0), now: { 0 })) != nil }
  }

  /// A date column's SQL.
  static func sql(_ seconds: String) -> String { "CAST(\(function)(\(seconds)) AS TEXT) COLLATE \(name)" }

  /// Microseconds since 1970 of a date as people write it. Any other bare number is seconds since 2001, as Core Data
  /// stores them, unless it looks like something else.
  static func microseconds(_ text: UnsafeRawBufferPointer, now: () -> Int64) throws -> Int64 {
    if let date = WrittenDate(text) { return date.microseconds }
    let word = String(decoding: text.prefix(64), as: UTF8.self)
    if word.lowercased() == "now" { return now() }
    if let day = relativeDay(word.lowercased()) { throw NoDate(word, "write \(day)") }
    guard text.count < 64, text.allSatisfy({ "+-.0123456789eE".utf8.contains($0) }),
      let seconds = Double(word)
    else {
      throw NoDate(
        word,
        "write it like '2026-03-20', '2026-03-20 12:00', '2026-03-20T12:00:00+01:00' or 'now', or as seconds since 2001; to compare it as a text, put COLLATE BINARY after it"
      )
    }
    switch seconds {
    // In seconds, it would be a day of 2001; but `> 20260410` is what people write.
    case 19_000_000..<21_000_000 where text.count == 8:
      let day = "\(word.prefix(4))-\(word.dropFirst(4).prefix(2))-\(word.suffix(2))"
      if WrittenDate(day) != nil { throw NoDate(word, "it looks like a day without hyphens; write '\(day)'") }
    // Since 2001 that would be 2042 to 2083; since 1970 it is 2011 to 2052.
    case 1.3e9...2.6e9:
      throw NoDate(
        word,
        "it looks like seconds since 1970, and numbers count from 2001; write datetime(\(word), 'unixepoch')")
    // Since 2001 that would be years from 5170 on.
    case 1e11..<1e14:
      throw NoDate(
        word,
        "it looks like milliseconds since 1970, and numbers are seconds since 2001; write datetime(\(word) / 1000, 'unixepoch')"
      )
    case 1e14..<1e21:
      throw NoDate(
        word,
        "it's too large for seconds since 2001, which is what a number means; write it like '2026-03-20'")
    default: break
    }
    return ISO8601.microseconds(coreDataSeconds: seconds) ?? (seconds < 0 ? .min : .max)
  }

  /// How SQL has a day that a word means; nil for other words.
  package static func relativeDay(_ word: String) -> String? {
    let days = [
      "today": "date('now')", "yesterday": "date('now', '-1 day')", "tomorrow": "date('now', '+1 day')",
    ]
    return days[word].map { "\($0), without quotes around it: the day begins at midnight in UTC" }
  }

  private struct NoDate: Error, CustomStringConvertible {
    let description: String

    init(_ word: String, _ advice: String) {
      description = "a date can't be compared with '\(word)': \(advice)"
    }
  }

  /// Remembers what it was last compared with, as that is the same text for every row.
  private final class Order {
    private var lastText: [UInt8]?
    private var lastTime: Int64 = 0
    /// 'now' is one moment for all rows of a statement, as SQLite's own is: https://www.sqlite.org/lang_datefunc.html
    private var now: (run: Int, time: Int64)?
    private unowned let connection: Connection
    private let isStrict: Bool

    init(_ connection: Connection, isStrict: Bool) {
      (self.connection, self.isStrict) = (connection, isStrict)
    }

    func compare(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) throws -> Int {
      // All of them have one width, so that their bytes have the order of time.
      let (isFirstOurs, isSecondOurs) = (ISO8601.hasForm(one), ISO8601.hasForm(other))
      if isFirstOurs, isSecondOurs { return Self.order(one, other) }
      // Other texts come here by way of COLLATE.
      if !isFirstOurs, !isSecondOurs {
        guard isStrict, let first = ISO8601.microseconds(one), let second = ISO8601.microseconds(other) else {
          return Self.order(one, other)
        }
        return first < second ? -1 : first == second ? 0 : 1
      }
      // An impossible date that a store made up is a text like any other.
      guard ISO8601.microseconds(isFirstOurs ? one : other) != nil else { return Self.order(one, other) }
      let first: Int64
      let second: Int64
      do { (first, second) = (try time(one), try time(other)) } catch {
        if isStrict { throw error }
        return Self.order(one, other)
      }
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
      var isNow = false
      let time = try DateOrder.microseconds(text) {
        isNow = true
        return currentTime
      }
      // A row's own date changes from row to row; what it is compared with doesn't.
      if !isNow, !ISO8601.hasForm(text) { (lastText, lastTime) = (Array(text), time) }
      return time
    }

    private var currentTime: Int64 {
      if let now, now.run == connection.run { return now.time }
      let time = DateOrder.currentTime()
      now = (connection.run, time)
      return time
    }
  }
}
