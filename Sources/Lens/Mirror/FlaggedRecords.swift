import SQLite
import StoreModel
import SystemCalls

/// What all records come to: which objects have one, and which of them are flagged.
struct FlaggedRecords {
  struct Marks: OptionSet {
    let rawValue: UInt8
    static let registered = Marks(rawValue: 1)
    static let flagged = Marks(rawValue: 2)
    /// The store has a copy from the server. Only looked for if an export starts over.
    static let acknowledged = Marks(rawValue: 4)
  }

  /// For a flagged record the transaction that flagged it.
  struct Cause {
    /// The pending number: a change up to here is what the flag stands for.
    var upTo = Int64.min
    /// The number last exported: a change up to here is done with.
    var after: Int64 = 0
    var transaction: Int64 = 0
    /// Nothing before it can have flagged the record: it is the object's insertion, or the deletion meant.
    var isFirst = false
  }

  private(set) var marks = ObjectMap(empty: Marks())
  private(set) var causes = ObjectMap(empty: Cause())
  private(set) var counts: [PendingItem.Kind: Int] = [:]
  /// The lowest number that a flagged record was last exported with; nil where none is flagged.
  private(set) var oldestExport: Int64?

  /// Reads every record once: no index leads to the flags.
  /// - Parameters:
  ///   - tracesCauses: whether room is made for `causes`.
  ///   - object: whose records alone are looked at.
  init(_ mirror: Mirror, tracesCauses: Bool, of object: ObjectScope? = nil) throws {
    guard let view = mirror.views.records else { return }
    let condition = object.map { "WHERE " + $0.condition(entity: "entityNumber", primaryKey: "pk") }
    let startsOver = try mirror.token.startsOver
    let columns =
      ["entityNumber", "pk", "pendingKind", "pendingExport", "lastExported"]
      + (startsOver ? ["acknowledged"] : [])
    try mirror.store.connection.forEachRow(view.select(columns, condition ?? "")) { row in
      let (entity, primaryKey) = (row.cell(0), row.cell(1))
      let isFlagged = !row.isNull(2)
      if isFlagged, let kind = PendingItem.Kind(rawValue: row.text(2)) { counts[kind, default: 0] += 1 }
      guard entity.type != .null, primaryKey.type != .null else { return }
      let key = ObjectKey(entity: entity.integer, primaryKey: primaryKey.integer)
      var found: Marks = isFlagged ? [.registered, .flagged] : .registered
      if startsOver, row.integer(5) == 1 { found.insert(.acknowledged) }
      try marks.update(key) { $0.formUnion(found) }
      guard isFlagged else { return }
      let after = row.integer(4)
      oldestExport = min(oldestExport ?? after, after)
      guard tracesCauses else { return }
      try causes.update(key) {
        $0 = Cause(upTo: row.optionalInteger(3) ?? .min, after: after)
      }
    }
  }

  /// Takes a change of the app's as the cause of a flag: the first one after the last export, since when the object
  /// waits; of a record to be deleted, the deletion that the flag stands for. Changes must come oldest first.
  mutating func add(
    _ key: ObjectKey, _ kind: ChangeKind?, _ transaction: Int64, _ origin: TransactionOrigin
  ) throws {
    guard origin == .app, marks[key].contains(.flagged) else { return }
    try causes.update(key) { cause in
      guard transaction > cause.after else { return }
      let isDeletion = kind == .delete && transaction <= cause.upTo
      if cause.transaction == 0 || isDeletion {
        cause.transaction = transaction
        cause.isFirst = isDeletion || kind == .insert
      }
    }
  }
}
