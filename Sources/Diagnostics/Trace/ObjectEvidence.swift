import Lens
import StoreModel
import Values

/// What the store has of one object, each read once.
struct ObjectEvidence {
  let object: ObjectKey
  /// Nil if its table has no keys.
  let exists: Bool?
  let changes: TracedChanges
  /// With their archives.
  private(set) var records: [MirrorRecord] = []
  private(set) var pending: [PendingItem] = []
  private(set) var counts: [PendingItem.Kind: Int] = [:]
  /// Why what is pending isn't known, a sentence.
  private(set) var pendingProblem: String?
  /// Related objects in other zones, in words.
  private(set) var splits: [String] = []

  /// Whether anything shows that there is, or ever was, such an object.
  var isAny: Bool { exists == true || !changes.facts.isEmpty || !records.isEmpty || !pending.isEmpty }

  /// A record with something that came from the server, which wasn't asked to delete it.
  var hasServerCopy: Bool { records.contains { $0.isAcknowledged && $0.state != .deleteLeftover } }

  /// An object has one record; duplicates and hostile stores may have more.
  private static let mostRecords = 100
  private static let mostPending = 1_000
  private static let mostSplits = 5

  /// - Parameter names: how names are shown; nil for as they are.
  init(
    _ store: CoreDataStore, _ mirror: Mirror?, _ object: ObjectKey, exists: Bool?, _ names: ShownNames?
  ) throws {
    // Numbers of the entities whose objects share keys with this one's.
    let entities = store.schema.hierarchy(ofNumber: object.entity)
    let scope = ObjectScope(entities: entities, primaryKey: object.primaryKey)
    (self.object, self.exists) = (object, exists)
    changes = try TracedChanges(store, entities: entities, primaryKey: object.primaryKey, names)
    guard let mirror else { return }
    let filter = RecordFilter(entities: entities, objectKey: object.primaryKey)
    try RecordReader(mirror, filter: filter, decodesArchives: true).forEach { record in
      records.append(record)
      return records.count < Self.mostRecords
    }
    if exists == true, !records.isEmpty {
      let zones = try ZoneSplits(mirror)
      splits = try zones.all(of: object, limit: Self.mostSplits).map(zones.words)
    }
    do {
      let reader = try PendingReader(mirror, of: scope)
      counts = reader.counts
      try reader.forEach { item in
        pending.append(names.map(item.masked) ?? item)
        return pending.count < Self.mostPending
      }
    } catch let error as StoreScopeError {
      pendingProblem = error.description
    }
  }
}
