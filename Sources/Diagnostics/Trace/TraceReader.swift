package import Lens
import SQLite
import StoreModel
package import Values

/// Tells the story of one object: what happened to it, when the mirror ran for it, how its record stands, and what
/// waits now. Steps come in the order of time; those of now, which have no time, at the end.
package struct TraceReader {
  private let store: CoreDataStore
  private let mirror: Mirror?

  package init(_ open: OpenStore) throws {
    store = open.store
    mirror = try open.mirror()
  }

  /// The object that a record of that name, in any case, stands for; nil where there is no such record. Of several zones with such
  /// a name the first row counts.
  package func object(recordName: String) throws -> ObjectKey? {
    guard let mirror, let name = try mirror.recordName(like: recordName) else { return nil }
    var key: ObjectKey?
    try RecordReader(mirror, filter: RecordFilter(recordName: name)).forEach { record in
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
    if let problem = changes.problem { steps.append(.now(.change, problem)) }
    guard let mirror else { return steps + [.now(.record, "The store isn't mirrored, so it has no record.")] }
    steps += try TracedEvents(mirror, changes.moments).steps
    // A change comes before the event that carries it; what has no time comes last.
    steps = steps.enumerated().sorted { one, other in
      (one.element.at?.seconds ?? .infinity, one.offset) < (
        other.element.at?.seconds ?? .infinity, other.offset
      )
    }.map(\.element)
    if let absence = mirror.tables.absence(of: .events) {
      steps.append(.now(.event, "\(absence), so which exports and imports ran isn't known."))
    }
    let scope = ObjectScope(entities: entities, primaryKey: object.primaryKey)
    steps += try records(mirror, scope)
    steps += try pending(mirror, scope)
    return steps
  }

  /// Whether anything tells that there is, or ever was, such an object: its row, or a step that says something.
  package func knows(_ object: ObjectKey, from steps: [TraceStep]) throws -> Bool {
    // A step that only says that nothing was found has no details.
    if steps.contains(where: { !$0.details.isEmpty }) { return true }
    return try exists(object) ?? false
  }

  /// Whether there is a row with that key in the object's table; nil where its table has no keys.
  package func exists(_ object: ObjectKey) throws -> Bool? {
    guard let entity = store.schema[object.entity], store.tables.has(entity.table) else { return false }
    guard store.tables.columns(of: entity.table).contains(where: { $0.name.uppercased() == "Z_PK" }) else {
      return nil
    }
    return try store.connection.first(
      "SELECT 1 FROM main.\(quotedIdentifier(entity.table)) WHERE Z_PK = ?", [.integer(object.primaryKey)]
    ) { _ in true } ?? false
  }

  /// Numbers of the entities whose objects share keys with this one's.
  private func numbers(sharing number: Int64) -> ClosedRange<Int64> {
    store.schema[number].map(store.schema.hierarchy) ?? number...number
  }

  private func records(_ mirror: Mirror, _ object: ObjectScope) throws -> [TraceStep] {
    if let absence = mirror.tables.absence(of: .records) {
      return [.now(.record, "\(absence), so whether it has a record isn't known.")]
    }
    var steps: [TraceStep] = []
    let filter = RecordFilter(entities: object.entities, objectKey: object.primaryKey)
    try RecordReader(mirror, filter: filter, decodesArchives: true).forEach { record in
      guard case .object(let members) = record.value else { return true }
      let type = record.recordType.map { " of the type \($0)" } ?? ""
      let problem = record.problem.map { "; \($0)" } ?? ""
      let text = "Its record '\(record.recordName ?? "?")'\(type) is \(record.state.phrase)\(problem)."
      steps.append(.now(.record, text, members))
      return steps.count < 100
    }
    return steps.isEmpty ? [.now(.record, "It has no record.")] : steps
  }

  private func pending(_ mirror: Mirror, _ object: ObjectScope) throws -> [TraceStep] {
    var steps: [TraceStep] = []
    do {
      try PendingReader(mirror, of: object).forEach { item in
        let members: [DataValue.Member] = [
          .init("pending", .text(item.kind.rawValue)), .init("transaction", .optional(item.transaction)),
          .init("author", .optional(item.author)), .init("since", .optional(item.since)),
          .init("recordName", .optional(item.recordName)),
        ]
        steps.append(.now(.pending, item.reason, members))
        return steps.count < 1000
      }
    } catch let error as StoreScopeError {
      return [.now(.pending, "Whether anything of it waits isn't known: \(error.description)")]
    }
    if let absence = mirror.tables.absence(of: .records) {
      steps.append(.now(.pending, "\(absence), so whether more of it waits isn't known."))
    }
    return steps.isEmpty ? [.now(.pending, "Nothing of it waits to be sent.")] : steps
  }
}

/// One step in the story of an object.
package struct TraceStep: Sendable, Equatable {
  package enum Kind: String, Sendable, CaseIterable {
    /// A change in persistent history.
    case change
    /// A run of the mirror that carried a change, or should have.
    case event
    /// The object's record as it stands now.
    case record
    /// What is pending of it now.
    case pending
  }

  /// Nil for what stands now.
  package var at: CoreDataDate?
  package var kind: Kind
  /// One sentence.
  package var text: String
  /// What else is known, by kind.
  package var details: [DataValue.Member]

  /// A step without a time.
  static func now(_ kind: Kind, _ text: String, _ details: [DataValue.Member] = []) -> TraceStep {
    TraceStep(at: nil, kind: kind, text: text, details: details)
  }

  package var value: DataValue {
    .object(
      [.init("at", .optional(at)), .init("kind", .text(kind.rawValue)), .init("text", .text(text))] + details)
  }
}
