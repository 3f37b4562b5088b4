import StoreModel

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
