import StoreModel
package import Values

/// What happened to an object. Raw values are those of `NSPersistentHistoryChangeType`.
package enum ChangeKind: Int64, Sendable, CaseIterable, BitwiseCopyable {
  case insert, update, delete

  package var name: String {
    switch self {
    case .insert: "insert"
    case .update: "update"
    case .delete: "delete"
    }
  }

  /// What became of the object.
  package var done: String {
    switch self {
    case .insert: "inserted"
    case .update: "updated"
    case .delete: "deleted"
    }
  }

  package init?(name: String) {
    guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = kind
  }
}

/// One row of the view `changes`, without what takes time to read.
package struct HistoryChange: Sendable, Equatable {
  /// The change's own key, in the order of writing.
  package var row: Int64 = 0
  package var transaction: Int64?
  package var entity: Int64?
  package var objectKey: Int64?
  /// Nil for a number that no framework is known to write; `rawKind` has it.
  package var kind: ChangeKind?
  package var rawKind: Int64 = 0

  /// What `history`, exports and the view `changes` have of it, in the order in which `HistoryRows` makes them: history has
  /// millions of rows, and none of them is made a value first.
  package static let keys: [Shape.Key] = ofTransaction + ofChange

  private static let ofTransaction: [Shape.Key] = HistoryTransaction.fields.keys().map { key in
    key.name == "transaction" ? .init(key.name, .integer.orNull, "the number of its transaction") : key
  }

  private static let ofChange: [Shape.Key] = [
    .init("change", .known(ChangeKind.allCases.map(\.name)), "insert, update or delete"),
    .init("entity", .text.orNull, "the object's entity"),
    .init("pk", .integer.orNull, "the object's primary key"),
    .init("uri", .uri.orNull, "the object's URI"),
    .init("properties", .texts.orNull, "the names of the properties that an update changed"),
    .init("tombstone", .map(.any).orNull, "the values kept from a deleted object"),
    .init("unsure", .texts.orNull, "the names among them that may be wrong"),
  ]

  package static let before = Shape.Key(
    "before", .map(.any), "the values that the object's newest update replaced, from the WAL",
    if: "it is that update, one of at most 10 changes of one object, and the WAL goes back that far")

  /// Nil if the row names none.
  package var object: ObjectKey? {
    guard let entity, let objectKey else { return nil }
    return ObjectKey(entity: entity, primaryKey: objectKey)
  }

  /// Nil where it is the framework's own, or damaged.
  package var objectOfApp: ObjectKey? {
    guard let object, object.entity > 0, object.entity < PrimaryKeyTable.firstFrameworkNumber else {
      return nil
    }
    return object
  }

  package var done: String { kind?.done ?? kindName }

  package var kindName: String { kind?.name ?? "unknown (\(rawKind))" }
}

/// How many changes of each kind.
package struct ChangeCounts: Sendable, Equatable {
  package var inserts = 0
  package var updates = 0
  package var deletes = 0

  package init() {}

  package var total: Int { inserts + updates + deletes }

  package static func += (sum: inout ChangeCounts, other: ChangeCounts) {
    sum.inserts += other.inserts
    sum.updates += other.updates
    sum.deletes += other.deletes
  }

  /// A kind that isn't known counts as none.
  package mutating func add(_ kind: ChangeKind?) {
    switch kind {
    case .insert: inserts += 1
    case .update: updates += 1
    case .delete: deletes += 1
    case nil: break
    }
  }
}
