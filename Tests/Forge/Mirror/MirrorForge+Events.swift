package import Values

extension MirrorForge {
  /// Begins a run; the row is there from now on, without an end.
  package func begin(_ kind: EventKind, _ date: CoreDataDate?) throws -> Int64 {
    let event = MirrorLedger.Event(kind: kind, identifier: names.bytes(16), started: moment(date))
    let key = ledger.add(event, to: \.events)
    try commit()
    return key
  }

  /// Ends a run, some seconds after it began or after the last save since.
  package func end(_ key: Int64, _ failure: MirrorFailure? = nil, affected: Int = 0) throws {
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

/// An error with which a run of the mirror ends, and what it means for what is pending.
package struct MirrorFailure: Sendable, Hashable {
  package enum Effect: Sendable {
    /// Nothing is sent until somebody does something, or the server lets it.
    case blocks
    /// The framework tries again by itself.
    case passes
    /// Means nothing as long as later runs succeed.
    case noise
  }

  package var domain: String
  package var code: Int64
  package var effect: Effect

  package init(_ domain: String, _ code: Int64, _ effect: Effect) {
    self.domain = domain
    self.code = code
    self.effect = effect
  }

  /// https://developer.apple.com/documentation/cloudkit/ckerror
  private static func cloudKit(_ code: Int64, _ effect: Effect) -> MirrorFailure {
    MirrorFailure("CKErrorDomain", code, effect)
  }

  /// The mirror's own codes, which have no public names; app authors report them.
  private static func cocoa(_ code: Int64, _ effect: Effect) -> MirrorFailure {
    MirrorFailure("NSCocoaErrorDomain", code, effect)
  }

  package static let partialFailure = cloudKit(2, .blocks)
  package static let networkUnavailable = cloudKit(3, .passes)
  package static let networkFailure = cloudKit(4, .passes)
  package static let serviceUnavailable = cloudKit(6, .blocks)
  package static let throttled = cloudKit(7, .blocks)
  package static let invalidArguments = cloudKit(12, .blocks)
  package static let quotaExceeded = cloudKit(25, .blocks)
  package static let zoneNotFound = cloudKit(26, .blocks)
  package static let userDeletedZone = cloudKit(28, .blocks)
  package static let incompatibleModel = cocoa(134_060, .blocks)
  package static let tokenExpired = cocoa(134_301, .blocks)
  package static let noAccount = cocoa(134_400, .blocks)
  package static let accountChanged = cocoa(134_405, .blocks)
  package static let notInitialised = cocoa(134_406, .blocks)
  package static let cancelled = cocoa(134_407, .noise)
  package static let alreadyPending = cocoa(134_417, .noise)
  package static let deferred = cocoa(134_419, .noise)
  package static let unhandledException = cocoa(134_421, .blocks)
  package static let foreignToken = cocoa(134_501, .blocks)
}
