package import Values

extension MirrorForge {
  /// Begins a run; the row is there from now on, without an end.
  func begin(_ kind: EventKind, _ date: CoreDataDate?) throws -> Int64 {
    let event = MirrorLedger.Event(kind: kind, identifier: names.bytes(16), started: moment(date))
    let key = ledger.add(event, to: \.events)
    try commit()
    return key
  }

  /// Ends a run, some seconds after it began or after the last save since.
  func end(_ key: Int64, _ failure: MirrorFailure? = nil, affected: Int = 0) throws {
    let started = ledger.events[key]?.started ?? forge.clock
    // A deferred run ends as it begins.
    let seconds = failure?.effect == .noise ? 0.004 : 1.5
    let ended = CoreDataDate(seconds: max(started, forge.clock).seconds + seconds)
    forge.clock = ended
    ledger.events[key]?.ended = ended
    ledger.events[key]?.failure = failure
    ledger.events[key]?.affected = Int64(affected)
    ledger.events[key]?.finished = failure == nil ? Int64(affected) : 0
    try commit()
  }

  /// A run that comes to nothing: it fails before it does anything, or never ends because the process dies.
  package func run(_ kind: EventKind, failing failure: MirrorFailure?, at date: CoreDataDate? = nil) throws {
    let event = try begin(kind, date)
    if let failure { try end(event, failure) }
  }
}
