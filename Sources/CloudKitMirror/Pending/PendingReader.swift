import SQLite
import StoreModel
import Values

/// What waits to be sent, counted and one by one.
///
/// Counts and items follow what app authors report the exporter looks at: flags of records, links, zones and move
/// receipts; then what it will find when it analyses history; then rows it has never heard of.
package final class PendingReader {
  package let counts: PendingCounts
  private let mirror: Mirror
  private let entities: MirroredEntities
  private let flagged: FlaggedRecords
  private let unanalyzed: UnanalyzedObjects

  /// Reads records, the history that matters, and the keys of all rows of mirrored entities, each once.
  /// - Parameter tracesCauses: whether items shall say which transaction caused them; counts alone need less history.
  package init(_ mirror: Mirror, tracesCauses: Bool = true) throws {
    self.mirror = mirror
    let connection = mirror.store.connection
    let entities = try mirror.mirroredEntities()
    self.entities = entities
    var flagged = try FlaggedRecords(connection, mirror.tables, tracesCauses: tracesCauses)
    var unanalyzed = try UnanalyzedObjects(mirror)
    if let origins = mirror.origins {
      let token = mirror.token.analysedUpTo
      let start = tracesCauses ? min(token, flagged.oldestExport ?? token) : token
      try HistoryScan(connection, mirror.tables, origins).forEach(after: start) { change in
        if change.transaction > token { try unanalyzed.add(change) }
        if tracesCauses { try flagged.add(change) }
      }
    }
    mirror.remember(unanalyzed)
    self.flagged = flagged
    self.unanalyzed = unanalyzed
    counts = try Self.counts(mirror, entities, flagged, unanalyzed)
  }

  private static func counts(
    _ mirror: Mirror, _ entities: MirroredEntities, _ flagged: FlaggedRecords, _ unanalyzed: UnanalyzedObjects
  ) throws -> PendingCounts {
    var counts = PendingCounts()
    counts.uploads = flagged.uploads
    counts.cloudDeletes = flagged.cloudDeletes
    let small = SmallPending(mirror)
    counts.links = try small.count(.link)
    counts.linkDeletes = try small.count(.linkDelete)
    counts.shares = try small.count(.share)
    counts.moveReceipts = try small.count(.moveReceipt)
    let hasRecords = mirror.tables.has(.records)
    unanalyzed.entries.forEach { key, entry in
      let marks = flagged.marks[key]
      if isWaiting(key, entry, marks, entities, hasRecords: hasRecords) { counts.unanalyzed += 1 }
      return true
    }
    if hasRecords {
      try UnregisteredRows(mirror.store, entities).forEach { key in
        if !flagged.marks[key].contains(.registered), unanalyzed[key].outcome == .nothing {
          counts.unregistered += 1
        }
        return true
      }
    }
    return counts
  }

  /// Whether an object that was touched and not yet analysed will be sent, and isn't flagged already. A deleted object
  /// that never had a record has nothing on the server to delete.
  private static func isWaiting(
    _ key: ObjectKey, _ entry: UnanalyzedObjects.Entry, _ marks: FlaggedRecords.Marks,
    _ entities: MirroredEntities, hasRecords: Bool
  ) -> Bool {
    guard entry.outcome != .nothing, !marks.contains(.flagged), entities.countsChanges(of: key.entity) else {
      return false
    }
    return entry.outcome != .deleted || marks.contains(.registered) || !hasRecords
  }

  /// Calls `body` for each thing that waits, kind by kind, until it returns false.
  package func forEach(_ body: (PendingItem) throws -> Bool) throws {
    var goesOn = true
    func pass(_ item: PendingItem) throws -> Bool {
      goesOn = try body(item)
      return goesOn
    }
    try forEachRecord([.pendingUpload, .orphan], pass)
    if goesOn { try forEachRecord([.pendingCloudDelete], pass) }
    let small = SmallPending(mirror)
    for kind in [PendingItem.Kind.link, .linkDelete, .share, .moveReceipt] where goesOn {
      try small.forEach(kind, pass)
    }
    if goesOn { try forEachUnanalyzed(pass) }
    if goesOn { try forEachUnregistered(pass) }
  }

  private func forEachRecord(_ states: Set<RecordState>, _ body: (PendingItem) throws -> Bool) throws {
    guard flagged.uploads + flagged.cloudDeletes > 0 else { return }
    let filter = RecordFilter(states: states, isFlagged: true)
    try RecordReader(mirror, filter: filter).forEach { record in
      var item = PendingItem(record.needsCloudDelete ? .cloudDelete : .upload, reason: Self.reason(record))
      item.entity = record.entity
      item.primaryKey = record.objectKey
      item.uri = record.uri
      item.recordName = record.recordName
      item.zone = record.zone
      if let entity = record.entityNumber, let primaryKey = record.objectKey {
        try fill(&item, flagged.causes[ObjectKey(entity: entity, primaryKey: primaryKey)].transaction)
      }
      return try body(item)
    }
  }

  private static func reason(_ record: MirrorRecord) -> String {
    switch record.state {
    case .pendingCloudDelete: "The object was deleted here; the next export deletes its record on the server."
    case .orphan: "The object doesn't exist, so the next export deletes its record on the server."
    default:
      if record.isAcknowledged {
        "The object changed since its record was last exported."
      } else if !record.objectExists {
        "The object was never uploaded, and was deleted since; the deletion is still to be analysed."
      } else {
        "The object was never uploaded."
      }
    }
  }

  private func forEachUnanalyzed(_ body: (PendingItem) throws -> Bool) throws {
    var names = EntityNames(mirror.store)
    let hasRecords = mirror.tables.has(.records)
    let recordNames = try RecordNames(mirror)
    try unanalyzed.entries.forEach { key, entry in
      guard Self.isWaiting(key, entry, flagged.marks[key], entities, hasRecords: hasRecords) else {
        return true
      }
      let what =
        switch entry.outcome {
        case .inserted: "inserted"
        case .deleted: "deleted"
        case .updated, .nothing: "changed"
        }
      let reason =
        entry.since > mirror.token.analysedUpTo
        ? "The object was \(what) after the last transaction that the exporter analysed."
        : "An export that ended early saw that the object was \(what); the next one goes on from there."
      var item = PendingItem(.unanalyzed, reason: reason)
      item.entity = names[key.entity].entity
      item.primaryKey = key.primaryKey
      item.uri = names[key.entity].uri(key.primaryKey)
      if flagged.marks[key].contains(.registered) { item.recordName = try recordNames?.name(of: key) }
      try fill(&item, entry.since)
      return try body(item)
    }
  }

  private func forEachUnregistered(_ body: (PendingItem) throws -> Bool) throws {
    guard mirror.tables.has(.records) else { return }
    var names = EntityNames(mirror.store)
    try UnregisteredRows(mirror.store, entities).forEach { key in
      guard !flagged.marks[key].contains(.registered), unanalyzed[key].outcome == .nothing else {
        return true
      }
      var item = PendingItem(
        .unregistered,
        reason:
          "The row has no record, and history doesn't lead to one: it was written past Core Data, or before history began."
      )
      item.entity = names[key.entity].entity
      item.primaryKey = key.primaryKey
      item.uri = names[key.entity].uri(key.primaryKey)
      return try body(item)
    }
  }

  private func fill(_ item: inout PendingItem, _ number: Int64) throws {
    guard number > 0, let transaction = try mirror.origins?.transaction(number) else { return }
    item.transaction = number
    item.author = transaction.author
    item.since = transaction.timestamp
  }
}
