import SQLite
import SystemCalls
import Values

/// How SQL compares the dates of views. They are texts, and a text is what people compare them with; but the order
/// of texts isn't the order of time once one of the two is written in another way: '.' sorts before 'Z', 'T' after a
/// blank, and every text after every number.
///
/// A view's date column therefore has a collating sequence of its own, which SQLite uses for comparisons, `ORDER BY`,
/// `IN`, `BETWEEN`, `MIN` and `MAX` (https://www.sqlite.org/datatype3.html#collating_sequences), and the type TEXT, so
/// that numbers come here too. What is no date is refused: silence would be a wrong answer.
enum DateOrder {
  static let name = "moment"

  static func install(in connection: Connection) throws {
    let order = Order()
    try connection.addCollation(name: name) { try order.compare($0, $1) }
  }

  /// A date column's SQL: `expression` gives text as `ISO8601.write` writes it.
  static func sql(_ expression: String) -> String { "CAST(\(expression) AS TEXT) COLLATE \(name)" }

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
    private var lastText: [UInt8] = []
    private var lastTime: Int64 = 0
    private var now: Int64?

    func compare(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) throws -> Int {
      if Self.isWrittenByUs(one), Self.isWrittenByUs(other) { return Self.order(one, other) }
      let (first, second) = (try time(one), try time(other))
      return first < second ? -1 : first == second ? 0 : 1
    }

    /// All of them have one width, so that their bytes have the order of time.
    private static func isWrittenByUs(_ text: UnsafeRawBufferPointer) -> Bool {
      text.count == ISO8601.capacity && text[ISO8601.capacity - 1] == UInt8(ascii: "Z")
        && text[10] == UInt8(ascii: "T") && text[19] == UInt8(ascii: ".")
    }

    private static func order(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Int {
      for index in 0..<ISO8601.capacity where one[index] != other[index] {
        return one[index] < other[index] ? -1 : 1
      }
      return 0
    }

    private func time(_ text: UnsafeRawBufferPointer) throws -> Int64 {
      if text.elementsEqual(lastText) { return lastTime }
      let time = try DateOrder.microseconds(text) {
        // One moment for all rows, as SQLite's own 'now': https://www.sqlite.org/lang_datefunc.html
        let moment = now ?? ISO8601.microseconds(coreDataSeconds: Platform.now().seconds) ?? 0
        now = moment
        return moment
      }
      // A row's own date changes from row to row; what it is compared with doesn't.
      if !Self.isWrittenByUs(text) { (lastText, lastTime) = (Array(text), time) }
      return time
    }
  }
}
