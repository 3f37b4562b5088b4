package import Base
package import Forge
import StoreModel

/// Where each object stands, known from the life that the forge led and not read from the store.
package struct MirrorObjects {
  /// As `trace` names it.
  package enum State: String, CaseIterable {
    case onServer, waiting, blocked, deletedHere, localOnly, unknown
  }

  private let mirror: MirrorForge
  private let truth: MirrorTruth
  private let records: [ForgedObject: [MirrorLedger.Record]]
  private let pending: [ForgedObject: [MirrorTruth.Waiting]]

  package init(_ mirror: MirrorForge) {
    self.mirror = mirror
    truth = mirror.truth
    records = Dictionary(grouping: mirror.ledger.records.values.filter { $0.lost == nil }, by: \.object)
    pending = Dictionary(
      grouping: truth.waiting.filter { $0.object != nil && ![.link, .linkDelete].contains($0.kind) },
      by: { $0.object ?? ForgedObject(entity: "", entityNumber: 0, primaryKey: 0) })
  }

  /// All that are, and all that were as far as history or a record knows.
  package var all: [ForgedObject] {
    let changed = mirror.forge.truth.changes.map(\.object)
    return Set(Array(mirror.forge.truth.objects.keys) + changed + Array(records.keys)).sorted {
      ($0.entityNumber, $0.primaryKey) < ($1.entityNumber, $1.primaryKey)
    }
  }

  package func state(of object: ForgedObject) -> State {
    let exists = mirror.forge.truth[object] != nil
    let records = records[object] ?? []
    let kinds = kinds(of: object)
    if !exists, records.isEmpty, kinds.isEmpty { return .deletedHere }
    // Without any record the store doesn't show which entities are mirrored.
    let isMirrored = mirror.ledger.records.isEmpty || mirror.mirrored.contains(object.entityNumber)
    if !isMirrored, records.isEmpty { return exists ? .localOnly : .deletedHere }
    let isSent = kinds.contains(where: mirror.isSent)
    if mirror.verdict(isWaiting: isSent) == .unknown { return .unknown }
    if isSent { return mirror.isBlocked(isWaiting: true) ? .blocked : .waiting }
    if exists, kinds.contains(.unregistered) { return .blocked }
    guard exists else { return .deletedHere }
    return records.contains { $0.isAcknowledged && !$0.needsCloudDelete } ? .onServer : .unknown
  }

  /// When the oldest pending thing began, as far as history still has it.
  package func pendingSince(_ object: ForgedObject) -> CoreDataDate? {
    let transactions = (pending[object] ?? []).compactMap(\.transaction)
    let saves = mirror.forge.truth.transactions.filter { transactions.contains($0.number) }.map(\.timestamp)
    let own = mirror.ledger.records.filter { $0.value.object == object && $0.value.lost == nil }.keys
    let moves = mirror.ledger.receipts.values.filter { $0.needsCloudDelete && own.contains($0.record) }
    return (saves + moves.map(\.movedAt)).min()
  }

  /// When it was deleted last, as far as history still has it.
  package func deletedAt(_ object: ForgedObject) -> CoreDataDate? {
    let deletion = mirror.forge.truth.changes.last { $0.object == object && $0.kind == .delete }
    return mirror.forge.truth.transactions.first { $0.number == deletion?.transaction }?.timestamp
  }

  /// Properties whose value isn't the one in the copy from the server; nil if there is no copy.
  package func differences(of object: ForgedObject) -> Set<String>? {
    guard let state = mirror.forge.truth[object], let entity = mirror.forge.schema[object.entityNumber],
      let record = records[object]?.first(where: { $0.encodedRecord != nil })
    else { return nil }
    let attributes = entity.attributes.filter { $0.description.type != .composite }.map(\.name).filter {
      name in
      (state.values[name] ?? .null) != (record.sentValues[name] ?? .null)
    }
    let relationships = entity.relationships.filter { relationship in
      guard case .toOne = relationship.storage else { return false }
      let target = state.links[relationship.name]?.first
      let name = target.flatMap { records[$0]?.first?.name }
      return target == nil
        ? record.sentTargets[relationship.name] != nil
        : name == nil || name != record.sentTargets[relationship.name]
    }
    return Set(attributes + relationships.map(\.name))
  }

  /// Links are pending for the objects at both ends.
  private func kinds(of object: ForgedObject) -> Set<MirrorTruth.Kind> {
    let names = Set((records[object] ?? []).map(\.name))
    let links = mirror.ledger.links.values.filter {
      !$0.isUploaded && (names.contains($0.one.record) || names.contains($0.other.record))
    }
    return Set((pending[object] ?? []).map(\.kind) + links.map { $0.needsDelete ? .linkDelete : .link })
  }
}

/// What happens to a mirror from outside, or rarely: only tests need it.
extension MirrorForge {
  /// The server says in an import that the private zone is gone: data stay, all copies from the server go, and the
  /// next export looks at all of history again.
  package func zoneWasDeleted(at date: CoreDataDate? = nil) throws {
    let event = try begin(.import, date)
    for key in ledger.records.keys {
      ledger.records[key]?.encodedRecord = nil
      ledger.records[key]?.systemFields = nil
    }
    for key in ledger.links.keys {
      ledger.links[key]?.systemFields = nil
      ledger.links[key]?.isUploaded = false
    }
    for key in ledger.zones.keys {
      ledger.zones[key]?.changeToken = nil
      ledger.zones[key]?.flags.subtract(["hasRecordZone", "hasSubscription"])
    }
    setToken(.missing)
    ledger.set(.init(Key.bypassHistory, .bool(true)))
    try end(event, .zoneNotFound)
  }

  /// The user deleted the app's data in the iCloud settings: what was mirrored goes here as well, and the zones.
  package func userPurgedZone(at date: CoreDataDate? = nil) throws {
    let event = try begin(.import, date)
    try deleteRegistered()
    ledger.zones = [:]
    try end(event, .userDeletedZone)
  }

  /// What the mirror knows of the server goes, data stay; all objects get new records.
  package func resetMetadata() throws {
    removeRecordsAndLinks()
    for key in ledger.zones.keys {
      ledger.zones[key]?.changeToken = nil
      ledger.zones[key]?.flags.subtract([
        "hasRecordZone", "hasSubscription", "supportsAtomicChanges", "supportsFetchChanges",
        "supportsRecordSharing",
      ])
    }
    for key in ledger.databases.keys {
      ledger.databases[key]?.changeToken = nil
      ledger.databases[key]?.hasSubscription = false
    }
    setToken(.missing)
    try commit()
  }

  /// Loses the user's name and keeps that there was one, as an edit of the store by hand does: the next setup takes
  /// the account for another one.
  package func forgetAccountName() throws {
    ledger.removeEntry(Key.identityName)
    try commit()
  }

  /// A share of somebody else's, accepted on this device.
  package func acceptShare(from owner: String, at date: CoreDataDate? = nil) throws {
    _ = moment(date)
    let name = "com.apple.coredata.cloudkit.share." + names.uuid()
    let zone = addZone(name, owner: owner)
    ledger.zones[zone]?.flags = ["hasRecordZone", "needsImport", "supportsFetchChanges"]
    let share = shareArchive(name, owner, "Shared")
    ledger.zones[zone]?.share = share
    try commit()
  }

  /// Edits the share of a zone, for instance its participants.
  package func editShare(ofZone name: String) throws { try flagShare(ofZone: name, "needsShareUpdate") }

  package func stopSharing(zone name: String) throws { try flagShare(ofZone: name, "needsShareDelete") }

  private func flagShare(ofZone name: String, _ flag: String) throws {
    for key in ledger.zones.keys where ledger.zones[key]?.name == name && ledger.zones[key]?.share != nil {
      ledger.zones[key]?.flags.insert(flag)
    }
    try commit()
  }

  /// Names of the zones that have a share, in the order in which they were made.
  package var sharedZones: [String] {
    ledger.zones.sorted { $0.key < $1.key }.filter { $0.value.share != nil }.map(\.value.name)
  }

  /// Damage that comes from outside: a restored file, a tool, an edit by hand.
  package enum TokenDamage: Sendable, CaseIterable {
    /// The entry is gone.
    case missing
    /// The token is of another store, as after a change of the store's UUID.
    case foreign
    /// The token names a transaction that is still to come, as where history was put back to an older state.
    case ahead
    case unreadable
  }

  package func damageToken(_ damage: TokenDamage) throws {
    switch damage {
    case .missing: setToken(.missing)
    case .foreign: setToken(.foreign)
    case .ahead: setToken(.transaction(forge.lastTransaction + 7))
    case .unreadable: setToken(.unreadable)
    }
    try commit()
  }
}
