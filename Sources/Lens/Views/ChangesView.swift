package import Base
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

extension View {
  /// One row per change of an object.
  package static func changes(_ tables: FrameworkTables) -> View {
    let transaction = tables.sql(.changes, "ZTRANSACTIONID", "c")
    let entity = tables.sql(.changes, "ZENTITY", "c")
    let key = tables.sql(.changes, "ZENTITYPK", "c")
    let kind = tables.sql(.changes, "ZCHANGETYPE", "c")
    let mask =
      "CASE WHEN \(kind) = \(ChangeKind.update.rawValue) THEN \(tables.sql(.changes, "ZCOLUMNS", "c")) END"
    // Not a join: in an outer join with another view SQLite would make a copy of all changes first.
    // https://www.sqlite.org/optoverview.html#subquery_flattening
    func saved(_ expression: String) -> String {
      "(SELECT \(expression) FROM main.ATRANSACTION t WHERE t.Z_PK = \(transaction))"
    }
    let kept = tables.tombstoneColumns.map { "c.\($0)" }
    // SQLite takes about a hundred arguments: https://www.sqlite.org/limits.html#max_function_arg
    let keys = HistoryChange.keys
    let arguments = ([entity, kind] + kept.prefix(90)).joined(separator: ", ")
    return View(
      "changes", rows: "change of an object in history",
      [
        Column("transaction", of: keys, transaction).open,
        Column("timestamp", of: keys, saved(tables.sql(.transactions, "ZTIMESTAMP", "t"))).open,
      ] + origins.map { origin($0, saved(text($0.column, tables))) } + [
        Column("change", of: keys, "change_name(\(kind))").open,
        Column("entity", of: keys, "entity_name(\(entity))").open, Column("pk", of: keys, key).open,
        Column("uri", of: keys, "object_uri(\(entity), \(key))").open,
        Column("properties", of: keys, "changed_properties(\(entity), \(mask))").open,
        Column("tombstone", of: keys, "tombstone(\(arguments))"),
        Column("unsure", of: keys, "unsure_properties(\(entity), \(mask))").open,
        Column("row", .integer, "the change's own key, in the order of writing", "c.Z_PK").open,
        Column("entityNumber", .integer, "the number of the object's entity", entity).open,
        Column("kind", .integer, "the raw value of the change", kind, isShown: false),
        Column(
          "mask", .blob, "the bits of the changed properties", tables.sql(.changes, "ZCOLUMNS", "c"),
          isShown: false),
      ]
        + kept.enumerated().map {
          Column("tombstone\($0)", .any, "a value that was kept", $1, isShown: false)
        }, from: "main.ACHANGE c")
  }
}
