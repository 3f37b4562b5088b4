package import Forge
import StoreModel
package import Values

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
