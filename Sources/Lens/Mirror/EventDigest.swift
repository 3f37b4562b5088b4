import Explanations
package import Values

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
  /// The newest run that ended because storage was full, whether or not a success came after it.
  package private(set) var lastQuotaFailure: MirrorEvent?
  private var pastBursts: [MirrorEvent.Kind: [EventFailure]] = [:]
  /// A few, as frameworks write them.
  private var failing: [EventFailure] = []
  /// Events without an end, the newest of its type included.
  package private(set) var unfinished: [MirrorEvent] = []
  /// When imports began.
  package private(set) var imports = ImportTimes()
  private var lastSetup: CoreDataDate?

  package struct ImportTimes: Sendable, Equatable {
    package var count = 0
    package var first: CoreDataDate?
    package var last: CoreDataDate?
    /// The most seconds from the end of the setup before it to an import's beginning; nil if one had none before it.
    package var longestDelay: Double? = 0
  }

  /// Frameworks cut the log to ten thousand; this is for made-up ones.
  private static let mostUnfinished = 100_000

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
  package func failures(of kind: MirrorEvent.Kind) -> [EventFailure] {
    failing.filter { $0.kind == kind }.sorted {
      ($1.count, $0.first.primaryKey) < ($0.count, $1.first.primaryKey)
    }
  }

  /// The same of all types, setups first.
  package var failures: [EventFailure] { MirrorEvent.Kind.allCases.flatMap(failures) }

  /// Runs of that type that the server asked to wait, in the longest row that ended with a success; of equally long
  /// ones the last.
  package func pastThrottling(of kind: MirrorEvent.Kind) -> [EventFailure] { pastBursts[kind] ?? [] }

  /// A success of the type, or one that shows it.
  private mutating func clear(_ kind: MirrorEvent.Kind) {
    func count(_ failures: [EventFailure]) -> Int { failures.reduce(0) { $0 + $1.count } }
    let burst = failures(of: kind).filter { $0.last.concern == .throttling }
    if !burst.isEmpty, count(burst) >= count(pastThrottling(of: kind)) { pastBursts[kind] = burst }
    failing.removeAll { $0.kind == kind }
  }

  private mutating func addFailure(_ event: MirrorEvent, _ kind: MirrorEvent.Kind) {
    if event.concern == .quota { lastQuotaFailure = event }
    if let index = failing.firstIndex(where: { $0.kind == kind && $0.hasCause(of: event) }) {
      failing[index].count += 1
      failing[index].last = event
    } else if failing.count(where: { $0.kind == kind }) < EventFailure.limit {
      failing.append(EventFailure(kind: kind, count: 1, first: event, last: event))
    }
  }

  private mutating func addTime(of event: MirrorEvent, _ kind: MirrorEvent.Kind) {
    guard let moment = event.moment else { return }
    if kind == .setup { lastSetup = event.ended ?? moment }
    guard kind == .import else { return }
    imports.count += 1
    imports.first = imports.first ?? moment
    imports.last = moment
    let delay = lastSetup.map { moment.seconds - $0.seconds }
    imports.longestDelay = imports.longestDelay.flatMap { longest in
      delay.flatMap { $0 < 0 ? nil : max(longest, $0) }
    }
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
    addTime(of: event, kind)
    var standing = self[kind]
    standing.count += 1
    if event.ended == nil, unfinished.count < Self.mostUnfinished { unfinished.append(event) }
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
      addFailure(event, kind)
    }
    self[kind] = standing
  }
}

/// Runs of one type that failed with one error, and that no success came after.
package struct EventFailure: Sendable, Equatable {
  package var kind: MirrorEvent.Kind
  package var count: Int
  package var first: MirrorEvent
  package var last: MirrorEvent

  /// Whether it is the event's error, or neither has one in the log.
  fileprivate func hasCause(of event: MirrorEvent) -> Bool {
    first.errorCode == event.errorCode && first.errorDomain == event.errorDomain
  }

  /// Different errors of one type. Frameworks write some dozens; the limit is for made-up logs.
  static let limit = 100
}
