package import CloudKitMirror
import Explanations
import Rendering
package import Values

/// What only a mirrored store has: what waits, records, zones, events.
package struct MirrorFacts {
  package struct Failure {
    package var type: String
    package var error: String
    package var count: Int
    package var first: CoreDataDate?
    package var last: CoreDataDate?
    package var isNoise: Bool
    package var meaning: String

    package var value: DataValue {
      [
        "type": .text(type), "error": .text(error), "count": .count(count), "first": .optional(first),
        "last": .optional(last), "isNoise": .bool(isNoise), "meaning": .text(meaning),
      ]
    }
  }

  package var layout: String
  package var scope: String?
  package var token: String
  package var tokenTransaction: Int64?
  package var databases: [MirrorDatabase]
  package var zones: [MirrorZone]

  package var counts = PendingCounts()
  /// Why what waits can't be counted.
  package var uncounted: String?
  package var ages: PendingAges
  /// As many as were asked for.
  package var pending: [PendingItem] = []

  package var records = 0
  /// Of these, those that the server is known to have, in whatever version.
  package var acknowledged = 0
  /// By entity, sorted by name.
  package var states: [(entity: String, counts: [RecordState: Int])] = []

  package var events = 0
  package var eventChart = EventChart()
  /// The newest first, as many as were asked for.
  package var newestEvents: [MirrorEvent] = []
  /// By type and error, the most frequent first.
  package var failures: [Failure] = []
  package var lastExport: CoreDataDate?
  package var failuresSinceExport = 0

  /// Why a part of it isn't known, a sentence each.
  package var problems: [String] = []

  package init(
    _ mirror: Mirror, _ privacy: ReportPrivacy, limit: Int, progress: @escaping (String) -> Void
  ) throws {
    layout = mirror.layout.name
    scope = mirror.scope?.name
    token = mirror.token.state.rawValue
    tokenTransaction = mirror.token.transaction
    databases = mirror.databases.map { database in
      var database = database
      database.name = privacy.zone(database.name)
      return database
    }
    zones = mirror.zones.map { zone in
      var zone = zone
      zone.name = privacy.zone(zone.name)
      zone.owner = privacy.owner(zone.owner)
      return zone
    }
    ages = PendingAges(mirror)
    lastExport = mirror.events[.export].lastSuccess?.moment
    failuresSinceExport = mirror.events[.export].failuresInARow
    try readPending(mirror, privacy, limit, progress)
    try readRecords(mirror, progress)
    try readEvents(mirror, limit, progress)
    problems = [FrameworkTable.records, .zones, .events].compactMap { mirror.tables.absence(of: $0) }
      .map { privacy.sentence($0 + ".") }
  }

  private mutating func readPending(
    _ mirror: Mirror, _ privacy: ReportPrivacy, _ limit: Int, _ progress: (String) -> Void
  ) throws {
    let reader: PendingReader
    do {
      reader = try PendingReader(mirror)
    } catch let error as StoreScopeError {
      uncounted = privacy.sentence(error.description)
      return
    }
    counts = reader.counts
    try reader.forEach { item in
      progress("listing what waits")
      ages.add(item)
      guard pending.count < limit else { return true }
      var item = item
      item.recordName = privacy.recordName(item.recordName)
      item.zone = privacy.zone(item.zone)
      item.uri = item.uri.map(privacy.uri)
      item.reason = privacy.showsValues ? item.reason : privacy.sentence(item.reasonWithoutNames)
      pending.append(item)
      return true
    }
  }

  private mutating func readRecords(_ mirror: Mirror, _ progress: (String) -> Void) throws {
    var states: [String: [RecordState: Int]] = [:]
    try RecordReader(mirror).forEach { record in
      progress("reading records")
      records += 1
      if record.isAcknowledged { acknowledged += 1 }
      states[record.entity ?? "(unknown entity)", default: [:]][record.state, default: 0] += 1
      return true
    }
    self.states = states.sorted { $0.key < $1.key }.map { (entity: $0.key, counts: $0.value) }
  }

  /// Errors of one type; frameworks write some dozens, the limit is for made-up logs.
  private static let mostFailures = 100

  private mutating func readEvents(_ mirror: Mirror, _ limit: Int, _ progress: (String) -> Void) throws {
    var failures: [String: Failure] = [:]
    try EventReader(mirror).forEach(reversed: true) { event in
      progress("reading events")
      events += 1
      eventChart.add(event)
      if newestEvents.count < limit { newestEvents.append(event) }
      guard event.hasFailed else { return true }
      let error = event.errorText ?? event.errorDomain ?? "no error recorded"
      let key = "\(event.typeName) \(error)"
      guard failures[key] != nil || failures.count < Self.mostFailures else { return true }
      var failure =
        failures[key]
        ?? Failure(
          type: event.typeName, error: error, count: 0, first: nil, last: event.moment,
          isNoise: event.isNoise, meaning: event.explanation?.meaning ?? "Nothing is known of that error.")
      failure.count += 1
      failure.first = event.moment ?? failure.first
      failures[key] = failure
      return true
    }
    self.failures = failures.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map(\.value)
  }
}
