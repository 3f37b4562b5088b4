import Base
import SQLite
import StoreModel

/// What all records come to: which objects have one, and which of them are flagged.
struct FlaggedRecords {
  struct Marks: OptionSet, BitwiseCopyable {
    let rawValue: UInt8
    static let registered = Marks(rawValue: 1)
    static let flagged = Marks(rawValue: 2)
    /// The store has a copy from the server. Only looked for if an export starts over.
    static let acknowledged = Marks(rawValue: 4)
  }

  /// For a flagged record the transaction that flagged it.
  struct Cause: BitwiseCopyable {
    /// The pending number: a change up to here is what the flag stands for.
    var upTo = Int64.min
    /// The number last exported: a change up to here is done with.
    var after: Int64 = 0
    var transaction: Int64 = 0
    /// Nothing before it can have flagged the record: it is the object's insertion, or the deletion meant.
    var isFirst = false
  }

  let marks = ObjectMap(empty: Marks())
  let causes = SparseObjectMap(empty: Cause())
  private(set) var counts: [PendingItem.Kind: Int] = [:]
  /// The lowest number that a flagged record was last exported with; nil where none is flagged.
  private(set) var oldestExport: Int64?

  /// Reads every record once: no index leads to the flags.
  /// - Parameters:
  ///   - tracesCauses: whether room is made for `causes`.
  ///   - object: whose records alone are looked at.
  init(_ mirror: Mirror, tracesCauses: Bool, of object: ObjectScope? = nil) throws {
    try mirror.forEachRecord(of: object) { record in
      let isFlagged = record.kind != nil
      if let kind = record.kind { counts[kind, default: 0] += 1 }
      guard let key = record.object else { return }
      var found: Marks = isFlagged ? [.registered, .flagged] : .registered
      if record.isAcknowledged { found.insert(.acknowledged) }
      try marks.update(key) { $0.formUnion(found) }
      guard isFlagged else { return }
      oldestExport = min(oldestExport ?? record.after, record.after)
      guard tracesCauses else { return }
      try causes.update(key) { $0 = Cause(upTo: record.upTo, after: record.after) }
    }
  }

  /// Takes a change of the app's as the cause of a flag: the first one after the last export, since when the object
  /// waits; of a record to be deleted, the deletion that the flag stands for. Changes must come oldest first.
  func add(_ change: AppChange) throws {
    guard change.origin == .app, try marks[change.object].contains(.flagged) else { return }
    try causes.update(change.object) { cause in
      guard change.transaction > cause.after else { return }
      let isDeletion = change.kind == .delete && change.transaction <= cause.upTo
      if cause.transaction == 0 || isDeletion {
        cause.transaction = change.transaction
        cause.isFirst = isDeletion || change.kind == .insert
      }
    }
  }
}

/// What is read of a record, in numbers.
private struct RecordMarks: BitwiseCopyable {
  /// Nil where the record names none.
  var object: ObjectKey?
  /// Nil if it isn't flagged.
  var kind: PendingItem.Kind?
  /// See `Cause`.
  var upTo = Int64.min
  var after: Int64 = 0
  /// False unless an export starts over.
  var isAcknowledged = false
}

private let keysOfPart: Int64 = 4096

extension Mirror {
  fileprivate func forEachRecord(of object: ObjectScope?, _ body: (RecordMarks) throws -> Void) throws {
    guard let view = views.records else { return }
    let startsOver = try token.startsOver
    let columns =
      ["entityNumber", "pk", "pendingKind", "pendingExport", "lastExported", "row"]
      + (startsOver ? ["acknowledged"] : [])
    let isWanted = object?.condition(entity: "entityNumber", primaryKey: "pk")
    try PackedRows.forEach(
      of: FrameworkTable.records.rawValue, each: keysOfPart, over: "\"row\"", in: store,
      object == nil ? otherReaders() : [],
      statement: { store, condition in
        try store.connection.prepare(
          view.select(columns, (condition ?? isWanted).map { "WHERE " + $0 } ?? ""))
      },
      read: { row, take in
        while try row.step() {
          var marks = RecordMarks()
          let (entity, primaryKey) = (row.cell(0), row.cell(1))
          if entity.type != .null, primaryKey.type != .null {
            marks.object = ObjectKey(entity: entity.integer, primaryKey: primaryKey.integer)
          }
          if !row.isNull(2) {
            marks.kind = PendingItem.Kind(rawValue: row.text(2))
            marks.upTo = row.optionalInteger(3) ?? .min
            marks.after = row.integer(4)
          }
          marks.isAcknowledged = startsOver && row.integer(6) == 1
          try take(marks)
        }
      }, body)
  }
}

extension MirroredEntities {
  /// Calls `body` for the keys of rows of mirrored entities, table by table.
  /// - Parameters:
  ///   - object: the one that is asked for; all of them where nil.
  ///   - readers: the same store for several threads; none for small ones.
  func forEachRow(
    of object: ObjectScope?, in store: CoreDataStore, _ readers: () throws -> [CoreDataStore],
    _ body: (ObjectKey) throws -> Void
  ) throws {
    var numbers: [String: [Int64]] = [:]
    for entity in store.schema.entities
    where countsRows(of: entity.number) && object?.entities.contains(entity.number) != false {
      numbers[entity.table, default: []].append(entity.number)
    }
    for (table, wanted) in numbers.sorted(by: { $0.key < $1.key }) where store.tables.holdsObjects(table) {
      try PackedRows.forEach(
        of: table, each: keysOfPart, in: store, object == nil ? readers() : [],
        statement: { store, condition in
          let conditions = [
            "Z_ENT IN (\(wanted.map(String.init).joined(separator: ", ")))",
            object.map { "Z_PK = \($0.primaryKey)" }, condition,
          ].compactMap(\.self)
          return try store.connection.prepare(
            """
            SELECT Z_ENT, Z_PK FROM main.\(quotedIdentifier(table))
            WHERE \(conditions.joined(separator: " AND ")) ORDER BY Z_PK
            """)
        },
        read: { row, take in
          while try row.step() { try take(ObjectKey(entity: row.integer(0), primaryKey: row.integer(1))) }
        }, body)
    }
  }
}
