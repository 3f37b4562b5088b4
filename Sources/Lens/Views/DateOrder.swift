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
  /// What makes a date of seconds: views call it.
  package static let function = "iso_date"
  /// Refuses dates, and gives everything else back.
  package static let guardName = "no_date"

  static func install(in connection: Connection) throws {
    let order = Order(connection)
    try connection.addCollation(name: name) { try order.compare($0, $1) }
    try connection.addFunction(name: function, argumentCount: 1) { arguments in
      guard [.integer, .real].contains(arguments.type(0)) else { return .null }
      return CoreDataDate(seconds: arguments.real(0)).iso8601.map(SQLiteValue.text) ?? .null
    }
    try connection.addFunction(name: guardName, argumentCount: 1) { arguments in
      guard arguments.type(0) == .text, arguments.withBytes(0, ISO8601.hasForm) else {
        return arguments.value(0)
      }
      throw SQLiteError(
        refusal:
          "a date that MAX, COALESCE, CASE or a subquery gave can't be compared with a number: compare it with a text such as '2026-03-20', or put unixepoch(…) around it"
      )
    }
  }

  /// The names of date columns in the store's views.
  package static func columns(of store: CoreDataStore) -> Set<String> {
    let entities = store.schema.entities.flatMap { entity in
      let names = View.entityColumns(of: entity)
      return entity.attributes.flatMap(\.leaves).filter { $0.description.type == .date }.compactMap {
        names[$0.path]
      }
    }
    return Set(
      entities + MirrorViews.documented.flatMap(\.columns).filter { $0.type == .date }.map(\.name))
  }

  /// Whether a text is a date as people write it.
  package static func isDate(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { (try? microseconds(UnsafeRawBufferPointer($0), now: { 0 })) != nil }
  }

  /// A date column's SQL.
  static func sql(_ seconds: String) -> String { "CAST(\(function)(\(seconds)) AS TEXT) COLLATE \(name)" }

  /// Microseconds since 1970 of a date as people write it. A year or a month is its beginning; any other bare number is
  /// seconds since 2001, as Core Data stores them.
  static func microseconds(_ text: UnsafeRawBufferPointer, now: () -> Int64) throws -> Int64 {
    if let time = ISO8601.microseconds(text) { return time }
    let word = String(decoding: text.prefix(64), as: UTF8.self)
    if word.lowercased() == "now" { return now() }
    // The first hour of 2001, in seconds, is what nobody asks for.
    let isYear = word.count == 4 && Int(word).map((1900...2100).contains) == true
    if let beginning = ISO8601.parse(word + (isYear ? "-01-01" : "-01")) {
      return ISO8601.microseconds(coreDataSeconds: beginning.seconds) ?? 0
    }
    guard text.count < 64, text.allSatisfy({ "+-.0123456789eE".utf8.contains($0) }),
      let seconds = Double(word)
    else {
      throw NoDate(
        word,
        "write it like '2026-03-20', '2026-03-20 12:00', '2026-03-20T12:00:00+01:00' or 'now', or as seconds since 2001; to compare it as a text, put COLLATE BINARY after it"
      )
    }
    // Since 2001 that would be 2042 to 2083; since 1970 it is 2011 to 2052.
    guard !(1.3e9...2.6e9).contains(seconds) else {
      throw NoDate(
        word,
        "it looks like seconds since 1970, and numbers count from 2001; write datetime(\(word), 'unixepoch')")
    }
    return ISO8601.microseconds(coreDataSeconds: seconds) ?? (seconds < 0 ? .min : .max)
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

    init(_ connection: Connection) { self.connection = connection }

    func compare(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) throws -> Int {
      // All of them have one width, so that their bytes have the order of time.
      let (isFirstOurs, isSecondOurs) = (ISO8601.hasForm(one), ISO8601.hasForm(other))
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
      let time = ISO8601.microseconds(coreDataSeconds: Platform.now().seconds) ?? 0
      now = (connection.run, time)
      return time
    }
  }
}
