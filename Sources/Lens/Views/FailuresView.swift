import Base
import Explanations
import SQLite

/// Runs of one type that failed with one error: a row of the view `failures`.
package struct EventFailure: Sendable, Equatable {
  package private(set) var count = 1
  package let first: MirrorEvent
  package private(set) var last: MirrorEvent
  /// How many of them came after the last success of the type, and the first of these.
  package private(set) var unresolved = 1
  package private(set) var since: MirrorEvent?

  init(_ event: MirrorEvent) { (first, last, since) = (event, event, event) }

  mutating func add(_ event: MirrorEvent) {
    count += 1
    last = event
    unresolved += 1
    since = since ?? event
  }

  mutating func resolve() { (unresolved, since) = (0, nil) }

  /// Whether it is of the event's type and error, or neither has an error in the log.
  func hasCause(of event: MirrorEvent) -> Bool {
    first.rawKind == event.rawKind && first.errorCode == event.errorCode
      && first.errorDomain == event.errorDomain
  }

  /// Frameworks write some dozens of errors; the limit is for made-up logs.
  static let limit = 100

  package var error: String { last.errorText ?? "an error that the log doesn't record" }
  package var meaning: String { last.explanation?.meaning ?? "There is no entry for that error." }
  /// `3 exports`
  package var runs: String { Sentence.count(unresolved, first.typeName) }
}

extension MirrorViews {
  /// One row per type of run and error, as `EventDigest` counts them; failed runs of an unknown type are left out.
  package var failures: View? {
    guard tables.has(.events) else { return nil }
    return View(
      "failures", rows: "type of run and error", EventFailure.cells.map(\.column.open),
      from: "\(EventFailure.table) f")
  }
}

extension EventFailure {
  static let table = "lens_failures"

  /// A column of the view, and what a row has there.
  struct Cell: Sendable {
    let column: View.Column
    let value: @Sendable (EventFailure) -> SQLiteValue

    fileprivate init(
      _ name: String, _ type: View.ColumnType, _ meaning: String,
      _ value: @escaping @Sendable (EventFailure) -> SQLiteValue?
    ) {
      column = View.Column(name, type, meaning, "f.\(name)")
      self.value = { value($0) ?? .null }
    }
  }

  static let cells: [Cell] = [
    Cell("type", .text, "setup, import or export") { .text($0.last.typeName) },
    Cell("error", .text, "its domain, code and public name in one text") { .text($0.error) },
    Cell("errorDomain", .text, "the error's domain") { $0.last.errorDomain.map(SQLiteValue.text) },
    Cell("errorCode", .integer, "the error's code") { $0.last.errorCode.map(SQLiteValue.integer) },
    Cell("errorName", .text, "the error's public name") { $0.last.errorName.map(SQLiteValue.text) },
    Cell("concern", .text, "what its code is about: quota, account, throttling, zone …") {
      $0.last.concern.map { .text("\($0)") }
    },
    Cell("count", .integer, "how many runs in the log failed with it") { .integer(Int64($0.count)) },
    Cell("first", .date, "when the first of them began") { moment($0.first) },
    Cell("last", .date, "when the last of them began") { moment($0.last) },
    Cell(
      "unresolved", .integer,
      "how many of them came after the last success of that type; for setups, a successful import or export counts too"
    ) { .integer(Int64($0.unresolved)) },
    Cell("since", .date, "when the first unresolved run began") { moment($0.since) },
    Cell("runs", .text, "the unresolved runs in words, such as 3 exports") { .text($0.runs) },
    Cell("isNoise", .bool, "harmless if later runs succeed") { .integer($0.last.isNoise ? 1 : 0) },
    Cell("resolvesItself", .bool, "goes away without anyone doing anything") {
      .integer($0.last.resolvesItself ? 1 : 0)
    },
    Cell("meaning", .text, "what the error means") { .text($0.meaning) },
    Cell("row", .integer, "the last run's row in events") { .integer($0.last.primaryKey) },
    Cell("sinceRow", .integer, "the row of the first unresolved run") {
      ($0.since?.primaryKey).map(SQLiteValue.integer)
    },
  ]

  private static func moment(_ event: MirrorEvent?) -> SQLiteValue? {
    (event?.moment).map { .real($0.seconds) }
  }
}
