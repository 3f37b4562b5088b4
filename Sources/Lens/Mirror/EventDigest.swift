package import Base
import Explanations
import SQLite
import StoreModel

/// What the event log comes to: for each type how it stands now.
package struct EventDigest: Sendable {
  package struct Standing: Sendable {
    package var count = 0
    package var failures = 0
    package var noise = 0
    package var lastSuccess: MirrorEvent?
    /// The newest failure that isn't noise, where no success came after it.
    package var failure: MirrorEvent?
    /// How many failures that aren't noise followed each other up to now, without a success between.
    package var failuresInARow = 0
    /// The first of them.
    package var failingSince: MirrorEvent?
    /// The first event after the last success.
    package var resumed: MirrorEvent?
    /// The newest event, where it has no end.
    package var open: MirrorEvent?
    /// The newest failure that is noise, where nothing else came after it.
    package var lastNoise: MirrorEvent?

    /// The time after the last success in which no run was logged, if it is days. There may have been nothing to send, the
    /// app may not have run, mirroring may have been off, or the system may have deferred all runs.
    package var gap: (from: CoreDataDate, to: CoreDataDate)? {
      guard let from = lastSuccess?.moment, let to = resumed?.moment,
        to.seconds - from.seconds >= Self.longestUsualGap
      else { return nil }
      return (from, to)
    }

    /// The system may defer runs until the device is charging and idle, which usually happens once a day.
    private static let longestUsualGap = 2.0 * 86_400
  }

  /// In the order of the types' numbers.
  private var standings = [Standing](repeating: Standing(), count: MirrorEvent.Kind.allCases.count)
  package private(set) var count = 0
  /// Of a type that isn't known.
  package private(set) var unknown = 0
  package private(set) var first: CoreDataDate?
  package private(set) var last: CoreDataDate?
  private var pastBursts: [MirrorEvent.Kind: [EventFailure]] = [:]
  /// All errors in the log, by when they first occurred.
  package private(set) var failures: [EventFailure] = []

  package init() {}

  init(_ reader: EventReader) throws {
    try reader.forEach { event in
      add(event)
      return true
    }
  }

  package private(set) subscript(kind: MirrorEvent.Kind) -> Standing {
    get { standings[Int(kind.rawValue)] }
    set { standings[Int(kind.rawValue)] = newValue }
  }

  package var hasAnySuccess: Bool { standings.contains { $0.lastSuccess != nil } }

  /// The newest success of any type.
  package var lastSuccess: MirrorEvent? {
    standings.compactMap(\.lastSuccess).max { $0.primaryKey < $1.primaryKey }
  }

  /// How runs of that type fail now: their errors since the last success, without noise, the most frequent first.
  /// Nothing is imported or exported before a setup, so that the success of either clears setups as well.
  package func unresolved(_ kind: MirrorEvent.Kind) -> [EventFailure] {
    failures.filter { $0.first.kind == kind && $0.since != nil && !$0.first.isNoise }.sorted {
      ($1.unresolved, $0.since?.primaryKey ?? 0) < ($0.unresolved, $1.since?.primaryKey ?? 0)
    }
  }

  /// Runs of that type that the server asked to wait, in the longest row that ended with a success; of equally long
  /// ones the last.
  package func pastThrottling(of kind: MirrorEvent.Kind) -> [EventFailure] { pastBursts[kind] ?? [] }

  /// A success of the type, or one that shows it.
  private mutating func clear(_ kind: MirrorEvent.Kind) {
    func count(_ failures: [EventFailure]) -> Int { failures.reduce(0) { $0 + $1.unresolved } }
    let burst = unresolved(kind).filter { $0.last.concern == .throttling }
    if !burst.isEmpty, count(burst) >= count(pastThrottling(of: kind)) { pastBursts[kind] = burst }
    for index in failures.indices where failures[index].first.kind == kind { failures[index].resolve() }
  }

  private mutating func addFailure(_ event: MirrorEvent) {
    if let index = failures.firstIndex(where: { $0.hasCause(of: event) }) {
      return failures[index].add(event)
    }
    // The one with the fewest unresolved runs goes.
    if failures.count == EventFailure.limit,
      let fewest = failures.indices.min(by: { failures[$0].unresolved < failures[$1].unresolved })
    {
      failures.remove(at: fewest)
    }
    failures.append(EventFailure(event))
  }

  /// Events come in the order in which they were written.
  package mutating func add(_ event: MirrorEvent) {
    count += 1
    if let moment = event.moment {
      first = min(first ?? moment, moment)
      last = max(last ?? moment, moment)
    }
    guard let kind = event.kind else {
      unknown += 1
      return
    }
    if event.hasFailed { addFailure(event) }
    var standing = self[kind]
    standing.count += 1
    standing.open = event.ended == nil ? event : nil
    standing.lastNoise = nil
    if event.succeeded {
      standing.resumed = nil
    } else if standing.lastSuccess != nil, standing.resumed == nil {
      standing.resumed = event
    }
    if event.succeeded {
      standing.lastSuccess = event
      standing.failure = nil
      standing.failuresInARow = 0
      standing.failingSince = nil
      clear(kind)
      if kind != .setup { clear(.setup) }
    } else if event.isNoise {
      standing.failures += 1
      standing.noise += 1
      standing.lastNoise = event
    } else if event.hasFailed {
      standing.failures += 1
      standing.failure = event
      standing.failuresInARow += 1
      standing.failingSince = standing.failingSince ?? event
    }
    self[kind] = standing
  }
}

/// Reads the log of the mirror's runs. The framework cuts it to the newest ten thousand now and then, as app authors
/// report, so that the absence of old events proves nothing.
package struct EventReader {
  private let connection: Connection
  /// Nil where the store keeps no events.
  private let view: View?

  package init(_ mirror: Mirror) {
    connection = mirror.store.connection
    view = mirror.views.events
  }

  package func count() throws -> Int {
    try view.flatMap { try connection.first($0.count()) { Int($0.integer(0)) } } ?? 0
  }

  /// Calls `body` for each event, in the order in which they were written, until it returns false.
  package func forEach(reversed: Bool = false, _ body: (MirrorEvent) throws -> Bool) throws {
    let next = try events(reversed: reversed)
    while let event = try next() {
      guard try body(event) else { return }
    }
  }

  /// The same one by one, for two logs side by side: a function that returns nil at the end.
  package func events(reversed: Bool = false) throws -> () throws -> MirrorEvent? {
    guard let view else { return { nil } }
    let statement = try connection.prepare(
      view.select(Column.names, "ORDER BY \"row\" \(reversed ? "DESC" : "ASC")"))
    return { try statement.step() ? event(statement) : nil }
  }

  private enum Column: Int, ReadColumn {
    case row, id, kind, started, ended, succeeded, errorDomain, errorCode, affected, finished
  }

  private func event(_ row: Statement) -> MirrorEvent {
    MirrorEvent(
      primaryKey: row.integer(Column.row),
      id: row.isNull(Column.id) ? nil : row.withBytes(Column.id.rawValue, Hexadecimal.uuid),
      rawKind: row.optionalInteger(Column.kind), started: row.date(Column.started),
      ended: row.date(Column.ended), succeeded: row.flag(Column.succeeded),
      errorDomain: row.optionalName(Column.errorDomain), errorCode: row.optionalInteger(Column.errorCode),
      affected: row.optionalInteger(Column.affected), finished: row.optionalInteger(Column.finished))
  }
}
