package import Base
import Explanations
package import Lens
import Rendering

/// What only a mirrored store has: what is pending, records, zones, events.
package struct MirrorFacts {
  package struct Failure: HasFields {
    package var type: String
    package var error: String
    package var count: Int
    package var first: CoreDataDate?
    package var last: CoreDataDate?
    package var isNoise: Bool
    package var meaning: String

    package static let fields: [Field<Self>] = [
      Field("type", MirrorEvent.type, "the type") { $0.type }, Field("error", "the error") { $0.error },
      Field("count", "how many times") { $0.count }, Field("first", "the first time") { $0.first },
      Field("last", "the last time") { $0.last },
      Field("isNoise", "it is harmless if later runs succeed") { $0.isNoise },
      Field("meaning", "what the error means") { $0.meaning },
    ]
  }

  package struct Reason: HasFields, Hashable {
    package var kind: PendingItem.Kind
    package var text: String
    package var count = 0
    package var oldest: CoreDataDate?

    package static let fields: [Field<Self>] = [
      Field("kind", "the kind") { $0.kind }, Field("reason", "why they are pending") { $0.text },
      Field("count", "how many") { $0.count }, Field("oldest", "since when") { $0.oldest },
    ]
  }

  package var layout: String
  package var scope: String?
  package var token = HistoryTokenState.unreadable.rawValue
  package var tokenTransaction: Int64?
  package var databases: [MirrorDatabase] = []
  package var zones: [MirrorZone] = []

  package var counts: [PendingItem.Kind: Int] = [:]
  /// Why what is pending can't be counted.
  package var uncounted: String?
  /// Nil if it can't be.
  var counted: [PendingItem.Kind: Int]? { uncounted == nil ? counts : nil }
  package var ages = PendingAges()
  /// As many as were asked for.
  package var pending: [PendingItem] = []

  /// What is pending by why, the most frequent first.
  package var reasons: [Reason] = []

  package var records = 0
  /// Of these, those that the server is known to have, in whatever version.
  package var onServer = 0
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
  /// Why the zones and the token, the records and the events are missing; nil if they were read.
  package var stateProblem: String?
  package var recordsProblem: String?
  package var eventsProblem: String?

  /// What is missing.
  var unread: [String] { [stateProblem, uncounted, recordsProblem, eventsProblem].compactMap(\.self) }

  package init(
    _ mirror: Mirror, _ privacy: ReportPrivacy, limit: Int, progress: @escaping (String) -> Void
  ) throws {
    layout = mirror.layout.name
    stateProblem = try attempt("Zones and the token", privacy) { try $0.readState(mirror, privacy) }
    uncounted = try attempt("Pending changes", privacy) { facts in
      try facts.readPending(mirror, privacy, limit, progress)
    }
    recordsProblem = try attempt("Records", privacy) { try $0.readRecords(mirror, progress) }
    eventsProblem = try attempt("Events", privacy) { try $0.readEvents(mirror, limit, progress) }
    problems = [FrameworkTable.records, .zones, .events].compactMap { mirror.tables.absence(of: $0) }
      .map { privacy.sentence($0 + ".") }
  }

  /// Reads one part; nothing of it stays if it can't be read to its end.
  /// - Returns: why it can't be.
  private mutating func attempt(
    _ name: String, _ privacy: ReportPrivacy, _ body: (inout MirrorFacts) throws -> Void
  ) throws -> String? {
    var (part, facts) = (PartReader(privacy), self)
    if try part.read(name, { try body(&facts) }) != nil { self = facts }
    return part.problems.first
  }

  private mutating func readState(_ mirror: Mirror, _ privacy: ReportPrivacy) throws {
    databases = try mirror.databases.map { database in
      var database = database
      database.name = privacy.mask(database.name, .zone)
      return database
    }
    zones = try mirror.zones.map { zone in
      var zone = zone
      zone.name = privacy.mask(zone.name, .zone)
      zone.owner = privacy.mask(zone.owner, .owner)
      return zone
    }
    scope = try mirror.scope?.name
    token = try mirror.token.state.rawValue
    tokenTransaction = try mirror.token.transaction
  }

  private mutating func readPending(
    _ mirror: Mirror, _ privacy: ReportPrivacy, _ limit: Int, _ progress: (String) -> Void
  ) throws {
    let reader = try PendingReader(mirror)
    counts = reader.counts
    ages = PendingAges(until: try mirror.events.last)
    var reasons: [String: Reason] = [:]
    try reader.forEach { item in
      progress("listing pending changes")
      ages.add(item)
      add(item, &reasons, privacy)
      guard pending.count < limit else { return true }
      pending.append(item.masked(privacy))
      return true
    }
    self.reasons = reasons.values.sorted { ($1.count, $0.text) < ($0.count, $1.text) }
  }

  /// A hostile store could have as many reasons as rows.
  private static let mostReasons = 30

  private func add(_ item: PendingItem, _ reasons: inout [String: Reason], _ privacy: ReportPrivacy) {
    var key = "\(item.kind.rawValue) \(item.reasonWithoutNames)"
    var text = item.reasonWithoutNames
    if reasons[key] == nil, reasons.count >= Self.mostReasons {
      (key, text) = (item.kind.rawValue, "Other reasons.")
    }
    var reason = reasons[key] ?? Reason(kind: item.kind, text: privacy.sentence(text))
    reason.count += 1
    reason.oldest = [reason.oldest, item.since].compactMap(\.self).min()
    reasons[key] = reason
  }

  private mutating func readRecords(_ mirror: Mirror, _ progress: (String) -> Void) throws {
    var states: [String: [RecordState: Int]] = [:]
    try RecordReader(mirror).forEach { record in
      progress("reading records")
      records += 1
      if record.isAcknowledged, record.state != .deleteLeftover { onServer += 1 }
      states[record.entity ?? "(unknown entity)", default: [:]][record.state, default: 0] += 1
      return true
    }
    self.states = states.sorted { $0.key < $1.key }.map { (entity: $0.key, counts: $0.value) }
  }

  private mutating func readEvents(_ mirror: Mirror, _ limit: Int, _ progress: (String) -> Void) throws {
    lastExport = try mirror.events[.export].lastSuccess?.moment
    failuresSinceExport = try mirror.events[.export].failuresInARow
    try EventReader(mirror).forEach(reversed: true) { event in
      progress("reading events")
      events += 1
      eventChart.add(event)
      if newestEvents.count < limit { newestEvents.append(event) }
      return true
    }
    failures = try mirror.events.failures.map { failure in
      let last = failure.last
      return Failure(
        type: last.typeName, error: last.errorText ?? last.errorDomain ?? "no error recorded",
        count: failure.count, first: failure.first.moment, last: last.moment, isNoise: last.isNoise,
        meaning: last.explanation?.meaning ?? "No explanation for that error.")
    }.sorted { ($1.count, "\($0.type) \($0.error)") < ($0.count, "\($1.type) \($1.error)") }
  }
}

extension MirrorFacts {
  static let pendingFields: [Field<Self>] = [
    Field("counts", [PendingItem.Kind: Int].shape, "by kind") { $0.counts.value },
    Field("problem", "why they can't be counted") { $0.uncounted },
    Field("byEntityAndAge", .list(.object(ageFields.keys())), "by entity and age") {
      $0.ages.byEntity.map(ageFields.object)
    },
    Field("byReason", "by reason, the most frequent first") { $0.reasons },
    Field("listed", "how many are in 'items'") { $0.pending.count },
    Field("items", "the changes") { $0.pending },
  ]

  private static let ageFields: [Field<(entity: String, counts: [Int])>] = [
    Field("entity", "the entity") { $0.entity },
    Field("ages", .map(.integer), "changes by age") {
      DataValue.object(zip(PendingAges.names, $0.counts).filter { $1 > 0 }.map { .init($0, .count($1)) })
    },
  ]

  static let recordFields: [Field<Self>] = [
    Field("count", "records; null if they can't be read") {
      $0.recordsProblem == nil ? Optional($0.records) : Optional.none
    },
    Field("byEntityAndState", .list(.object(stateFields.keys())), "records by entity and state") {
      $0.states.map(stateFields.object)
    },
  ]

  private static let stateFields: [Field<(entity: String, counts: [RecordState: Int])>] = [
    Field("entity", "the entity") { $0.entity },
    Field("states", .object(countFields.keys()), "records by state") { countFields.object(of: $0.counts) },
  ]

  private static let countFields = RecordState.allCases.map { state in
    Field<[RecordState: Int]>(state.rawValue, "records", if: "there are any") { $0[state] }
  }

  static let zoneFields: [Field<MirrorZone>] = Field.list(
    MirrorZone.fields.only(["name", "owner", "scope", "records", "hasToken", "lastFetch", "shareBytes"]),
    [
      Field("flags", .list(.words(MirrorZone.Flag.states.map(\.rawValue))), "what is set of the zone's flags")
      {
        $0.flagNames
      }
    ])

  static let databaseFields = MirrorDatabase.fields.only([
    "name", "scope", "hasSubscription", "hasToken", "lastFetch",
  ])

  static let eventFields: [Field<Self>] = [
    Field("count", "how many there are; null if they can't be read") {
      $0.eventsProblem == nil ? Optional($0.events) : Optional.none
    },
    Field("failures", "failures by type and error, the most frequent first") { $0.failures },
    Field("listed", "how many are in 'newest'") { $0.newestEvents.count },
    Field("newest", .list(.object(newestFields.keys())), "the newest events") {
      $0.newestEvents.map(newestFields.object)
    },
  ]

  /// Only fields without names or texts from the store.
  private static let newestFields = MirrorEvent.fields.only([
    "type", "started", "ended", "succeeded", "errorDomain", "errorCode", "errorName", "affected", "finished",
    "isNoise",
  ])

  static let mirrorFields: [Field<Self>] = [
    Field("present", "true") { _ in true },
    Field("layout", .words(MirrorLayout.self), "the layout of its tables") { $0.layout },
    Field("scope", DatabaseScope.shape, "the database that the store is mirrored to") { $0.scope },
    Field("token", .object(tokenFields.keys()), "how far history is processed") {
      tokenFields.object(of: $0)
    },
    Field("problems", "what couldn't be read, one sentence each") { $0.problems },
  ]

  private static let tokenFields: [Field<Self>] = [
    Field("state", .words(HistoryTokenState.self), "how the token compares with history") { $0.token },
    Field("transaction", "the last transaction that the exporter has processed") { $0.tokenTransaction },
  ]
}

extension PendingItem {
  /// The same without what must not be shown.
  package func masked(_ privacy: ReportPrivacy) -> PendingItem {
    privacy.showsValues ? self : masked(ShownNames { privacy.mask($1, $0) })
  }
}
