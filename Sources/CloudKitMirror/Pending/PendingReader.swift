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
  private let object: ObjectScope?

  /// Reads records, the history that matters, and the keys of all rows of mirrored entities, each once.
  /// - Parameters:
  ///   - tracesCauses: whether items shall say which transaction caused them; counts alone need less history.
  ///   - object: the one that is asked for: what is counted and told is then of it alone.
  /// - Throws: `StoreScopeError` where the keys of objects lie too far apart to be kept in memory.
  package init(_ mirror: Mirror, tracesCauses: Bool = true, of object: ObjectScope? = nil) throws {
    self.mirror = mirror
    self.object = object
    let connection = mirror.store.connection
    let entities = try mirror.mirroredEntities()
    self.entities = entities
    var flagged = try FlaggedRecords(connection, mirror.tables, tracesCauses: tracesCauses, of: object)
    var unanalyzed = try UnanalyzedObjects(mirror, of: object)
    if let origins = mirror.origins {
      let token = mirror.token.analysedUpTo
      let start = tracesCauses ? min(token, flagged.oldestExport ?? token) : token
      try HistoryScan(connection, mirror.tables, origins).forEach(after: start, of: object) { change in
        if change.transaction > token { try unanalyzed.add(change) }
        if tracesCauses { try flagged.add(change) }
      }
    }
    if object == nil { mirror.remember(unanalyzed) }
    self.flagged = flagged
    self.unanalyzed = unanalyzed
    counts = try Self.counts(mirror, entities, flagged, unanalyzed, object)
  }

  private static func counts(
    _ mirror: Mirror, _ entities: MirroredEntities, _ flagged: FlaggedRecords,
    _ unanalyzed: UnanalyzedObjects,
    _ object: ObjectScope?
  ) throws -> PendingCounts {
    var counts = PendingCounts()
    counts.uploads = flagged.uploads
    counts.cloudDeletes = flagged.cloudDeletes
    let small = SmallPending(mirror, of: object)
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
      try UnregisteredRows(mirror.store, entities, of: object).forEach { key in
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
    let small = SmallPending(mirror, of: object)
    for kind in [PendingItem.Kind.link, .linkDelete, .share, .moveReceipt] where goesOn {
      try small.forEach(kind, pass)
    }
    if goesOn { try forEachUnanalyzed(pass) }
    if goesOn { try forEachUnregistered(pass) }
  }

  private func forEachRecord(_ states: Set<RecordState>, _ body: (PendingItem) throws -> Bool) throws {
    guard flagged.uploads + flagged.cloudDeletes > 0 else { return }
    let filter = RecordFilter(
      entities: object?.entities, objectKey: object?.primaryKey, states: states, isFlagged: true)
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
    if record.entity == nil {
      // App authors report that a setup drops records of entities that the model doesn't have.
      let number = record.entityNumber.map { "The entity number \($0) of its record isn't known here" }
      return
        "\(number ?? "Its record names no entity"), so a setup drops the record before anything is sent for it."
    }
    switch record.state {
    case .pendingCloudDelete:
      return "The object was deleted here; the next export deletes its record on the server."
    case .orphan: return "The object doesn't exist, so the next export deletes its record on the server."
    default:
      if record.isAcknowledged {
        return record.pendingExport == nil
          ? "Its record is flagged for upload; no transaction says why."
          : "The object changed since its record was last exported."
      }
      return record.objectExists
        ? "The object was never uploaded."
        : "The object was never uploaded, and was deleted since; the deletion is still to be analysed."
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
    let fate =
      mirror.nextExportScans
      ? "The next export scans for such rows and sends it."
      : "It isn't sent until the framework scans for such rows."
    let reason =
      "The row has no record, and history doesn't lead to one: it was written past Core Data, or before history began. \(fate)"
    try UnregisteredRows(mirror.store, entities, of: object).forEach { key in
      guard !flagged.marks[key].contains(.registered), unanalyzed[key].outcome == .nothing else {
        return true
      }
      var item = PendingItem(.unregistered, reason: reason)
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
