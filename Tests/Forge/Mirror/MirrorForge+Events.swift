package import Base

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

/// What the framework wipes, and when, as app authors report it.
extension MirrorForge {
  /// The token's transaction is gone: all that was mirrored is deleted, to be fetched again.
  func wipeAfterExpiredHistory() throws {
    try deleteRegistered()
    ledger.zones = [:]
    setToken(.missing)
    try commit()
  }

  /// Another account, or none: nothing of the old one's may stay.
  func wipeForOtherAccount() throws {
    try delete(forge.truth.objects.keys.filter { mirrored.contains($0.entityNumber) })
    removeRecordsAndLinks()
    ledger.analyzerStates = [:]
    ledger.operations = [:]
    for key in ledger.zones.keys {
      ledger.zones[key]?.changeToken = nil
      ledger.zones[key]?.lastFetch = nil
      ledger.zones[key]?.share = nil
      ledger.zones[key]?.flags = []
    }
    for key in ledger.databases.keys {
      ledger.databases[key]?.changeToken = nil
      ledger.databases[key]?.lastFetch = nil
      ledger.databases[key]?.hasSubscription = false
    }
    setToken(.missing)
    ledger.removeEntry(Key.checkedIdentity)
    ledger.removeEntry(Key.identityName)
    try commit()
  }

  package func removeRecordsAndLinks() {
    for key in ledger.records.keys { ledger.removeRecord(key) }
    ledger.links = [:]
    ledger.pendingRelationships = [:]
  }

  /// Deletes all objects that have a record, as the framework does.
  package func deleteRegistered() throws {
    try delete(ledger.records.values.map(\.object).filter { forge.truth[$0] != nil })
    removeRecordsAndLinks()
  }

  private func delete(_ objects: [ForgedObject]) throws {
    try save(.reset) { save in
      for object in objects.sorted(by: Self.isBefore) where save.contains(object) { try save.delete(object) }
    }
  }
}

extension MirrorForge {
  /// Moves objects into a zone of their own, which is shared: https://developer.apple.com/documentation/cloudkit/ckshare
  /// - Returns: the zone's name.
  @discardableResult
  package func share(
    _ objects: [ForgedObject], title: String = "Shared", at date: CoreDataDate? = nil
  ) throws -> String {
    let moment = moment(date)
    let name = "com.apple.coredata.cloudkit.share." + names.uuid()
    let zone = addZone(name)
    ledger.zones[zone]?.flags = ["needsShareUpdate"]
    let share = shareArchive(name, Self.ownOwner, title)
    ledger.zones[zone]?.share = share
    for object in objects where forge.truth[object] != nil {
      guard let key = ledger.recordKey(of: object) ?? register(object), var record = ledger.records[key]
      else {
        continue
      }
      if record.isAcknowledged, let old = ledger.zones[record.zone] {
        let receipt = MirrorLedger.MoveReceipt(
          record: key, recordName: record.name, zone: old.name, owner: old.owner, movedAt: moment)
        ledger.add(receipt, to: \.receipts)
      }
      record.zone = zone
      record.needsUpload = true
      record.encodedRecord = nil
      record.systemFields = nil
      ledger.records[key] = record
    }
    try commit()
    return name
  }

  /// The archive that the framework keeps of a share.
  package func shareArchive(_ zone: String, _ owner: String, _ title: String) -> MirrorBlob {
    let header = header(type: "cloudkit.share", name: "cloudkit.zoneshare", zone: zone, owner: owner)
    return MirrorBlob(
      bytes: MirrorArchives.share(header, title: title), key: ledger.newKey(MirrorLedger.Zone.shareAsset))
  }

  /// The server takes what became of a zone's share.
  func sendShare(_ zone: Int64) {
    if ledger.zones[zone]?.flags.remove("needsShareUpdate") != nil {
      ledger.zones[zone]?.flags.insert("hasRecordZone")
    }
    if ledger.zones[zone]?.flags.remove("needsShareDelete") != nil { ledger.zones[zone]?.share = nil }
  }

  /// Links follow objects that moved to another zone, and are sent again.
  func moveLinks() {
    for receipt in ledger.receipts.values where receipt.needsCloudDelete {
      guard let record = ledger.records[receipt.record] else { continue }
      for (key, link) in ledger.links
      where link.zone != record.zone && [link.one.record, link.other.record].contains(record.name) {
        ledger.links[key]?.zone = record.zone
        if !link.isPending { ledger.links[key]?.isUploaded = false }
      }
    }
  }
}

extension MirrorForge {
  /// Where the history token stands, as the forge put it.
  package enum Token: Equatable {
    case missing
    /// The transaction up to which history was processed.
    case transaction(Int64)
    /// Of another store.
    case foreign
    case unreadable

    /// Where analysis goes on.
    package var number: Int64 {
      if case .transaction(let number) = self { return number }
      return 0
    }
  }

  package func setToken(_ token: Token) {
    self.token = token
    switch token {
    case .missing: ledger.removeEntry(Key.historyToken)
    case .transaction(let number):
      setTokenArchive(MirrorArchives.historyToken([forge.options.uuid: number]))
    case .foreign:
      setTokenArchive(MirrorArchives.historyToken([names.uuid(): forge.lastTransaction]))
    case .unreadable: setTokenArchive(Array("bplist00".utf8) + names.bytes(20))
    }
  }

  private func setTokenArchive(_ bytes: [UInt8]) {
    ledger.set(.init(Key.historyToken, .archive(bytes)))
  }

  /// Whether the transaction that the token names still exists.
  var tokenIsValid: Bool {
    guard case .transaction(let number) = token else { return token == .missing }
    return number <= lastBulkTransaction || forge.truth.transactions.contains { $0.number == number }
  }
}
