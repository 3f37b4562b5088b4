import Lens
import SQLite
package import StoreModel
import Values

/// Tells the story of one object: what happened to it, when the mirror ran for it, how its record stands, and what
/// waits now. Steps come in the order of time; those of now, which have no time, at the end.
package struct TraceReader {
  private let store: CoreDataStore
  private let mirror: Mirror?

  package init(_ store: CoreDataStore, _ mirror: Mirror?) {
    self.store = store
    self.mirror = mirror
  }

  /// The object that a record of that name stands for; nil where there is no such record. Of several zones with such
  /// a name the first row counts.
  package func object(recordName: String) throws -> ObjectKey? {
    guard let mirror else { return nil }
    var key: ObjectKey?
    try RecordReader(mirror, filter: RecordFilter(recordName: recordName)).forEach { record in
      guard let entity = record.entityNumber, let primaryKey = record.objectKey else { return true }
      key = ObjectKey(entity: entity, primaryKey: primaryKey)
      return false
    }
    return key
  }

  /// The story of the object with this key in the entity's hierarchy, whether it still exists or not.
  package func steps(of object: ObjectKey) throws -> [TraceStep] {
    let entities = numbers(sharing: object.entity)
    let changes = try TracedChanges(store, entities: entities, primaryKey: object.primaryKey)
    var steps = changes.steps
    if let mirror {
      steps += try TracedEvents(mirror, changes.moments).steps
      // A change comes before the event that carries it.
      steps = steps.enumerated().sorted { one, other in
        (one.element.at?.seconds ?? 0, one.offset) < (other.element.at?.seconds ?? 0, other.offset)
      }.map(\.element)
      steps += try records(mirror, entities, object.primaryKey)
      steps += try pending(mirror, entities, object.primaryKey)
    }
    return steps
  }

  /// Whether anything tells that there is, or ever was, such an object: its row, or a step that says something.
  package func knows(_ object: ObjectKey, from steps: [TraceStep]) throws -> Bool {
    // A step that only says that nothing was found has no details.
    if steps.contains(where: { !$0.details.isEmpty }) { return true }
    guard let entity = store.schema[object.entity], store.tables.has(entity.table) else { return false }
    return try store.connection.first(
      "SELECT 1 FROM main.\(quotedIdentifier(entity.table)) WHERE Z_PK = ?", [.integer(object.primaryKey)]
    ) { _ in true } ?? false
  }

  /// Numbers of the entities whose objects share keys with this one's.
  private func numbers(sharing number: Int64) -> ClosedRange<Int64> {
    guard let entity = store.schema[number] else { return number...number }
    return store.schema[entity.root]?.subtree ?? entity.subtree
  }

  private func records(
    _ mirror: Mirror, _ entities: ClosedRange<Int64>, _ primaryKey: Int64
  ) throws -> [TraceStep] {
    var steps: [TraceStep] = []
    let filter = RecordFilter(entities: entities, objectKey: primaryKey)
    try RecordReader(mirror, filter: filter, decodesArchives: true).forEach { record in
      guard case .object(let members) = record.value else { return true }
      let text = "Its record '\(record.recordName ?? "?")' is \(Self.words(record.state))."
      steps.append(TraceStep(at: nil, kind: .record, text: text, details: members))
      return steps.count < 100
    }
    if steps.isEmpty {
      steps.append(TraceStep(at: nil, kind: .record, text: "It has no record.", details: []))
    }
    return steps
  }

  private static func words(_ state: RecordState) -> String {
    switch state {
    case .uploaded: "uploaded"
    case .pendingUpload: "flagged for upload"
    case .pendingCloudDelete: "flagged for deletion on the server"
    case .deleteLeftover: "left over from a deletion that was sent"
    case .orphan: "an orphan: its object doesn't exist"
    case .neverAcknowledged: "neither flagged nor known to the server"
    }
  }

  private func pending(
    _ mirror: Mirror, _ entities: ClosedRange<Int64>, _ primaryKey: Int64
  ) throws -> [TraceStep] {
    var steps: [TraceStep] = []
    let names = Set(store.schema.entities.filter { entities.contains($0.number) }.map(\.name))
    try PendingReader(mirror).forEach { item in
      guard item.primaryKey == primaryKey, let entity = item.entity, names.contains(entity) else {
        return true
      }
      let members: [DataValue.Member] = [
        .init("pending", .text(item.kind.rawValue)), .init("transaction", .optional(item.transaction)),
        .init("author", .optional(item.author)), .init("since", .optional(item.since)),
        .init("recordName", .optional(item.recordName)),
      ]
      steps.append(TraceStep(at: nil, kind: .pending, text: item.reason, details: members))
      return steps.count < 1000
    }
    if steps.isEmpty {
      steps.append(TraceStep(at: nil, kind: .pending, text: "Nothing of it waits to be sent.", details: []))
    }
    return steps
  }
}
