import SQLite
import StoreModel

/// What all records come to: which objects have one, and which of them are flagged.
struct FlaggedRecords {
  struct Marks: OptionSet {
    let rawValue: UInt8
    static let registered = Marks(rawValue: 1)
    static let flagged = Marks(rawValue: 2)
  }

  /// For a flagged record the transaction that flagged it.
  struct Cause {
    /// The pending number: a change up to here is what the flag stands for.
    var upTo = Int64.min
    /// The number last exported: a change up to here is done with.
    var after: Int64 = 0
    var transaction: Int64 = 0
  }

  private(set) var marks = ObjectMap(empty: Marks())
  private(set) var causes = ObjectMap(empty: Cause())
  private(set) var uploads = 0
  private(set) var cloudDeletes = 0
  /// The lowest number that a flagged record was last exported with; nil where none is flagged.
  private(set) var oldestExport: Int64?

  /// Reads every record once: no index leads to the flags.
  /// - Parameters:
  ///   - tracesCauses: whether room is made for `causes`.
  ///   - object: whose records alone are looked at.
  init(
    _ connection: Connection, _ tables: MirrorTables, tracesCauses: Bool, of object: ObjectScope? = nil
  ) throws {
    guard tables.has(.records) else { return }
    func column(_ name: String) -> String { tables.sql(.records, name, "m") }
    let condition = object.map {
      " WHERE " + $0.condition(entity: column("ZENTITYID"), primaryKey: column("ZENTITYPK"))
    }
    try connection.forEachRow(
      """
      SELECT \(column("ZENTITYID")), \(column("ZENTITYPK")), \(tables.flag(.records, "ZNEEDSUPLOAD", "m")),
        \(tables.flag(.records, "ZNEEDSCLOUDDELETE", "m")), \(column("ZPENDINGEXPORTTRANSACTIONNUMBER")),
        \(column("ZLASTEXPORTEDTRANSACTIONNUMBER"))
      FROM main.ANSCKRECORDMETADATA m\(condition ?? "")
      """
    ) { row in
      let isFlagged = row.integer(2) == 1
      if isFlagged {
        if row.integer(3) == 1 { cloudDeletes += 1 } else { uploads += 1 }
      }
      guard !row.isNull(0), !row.isNull(1) else { return }
      let key = ObjectKey(entity: row.integer(0), primaryKey: row.integer(1))
      try marks.update(key) { $0.formUnion(isFlagged ? [.registered, .flagged] : .registered) }
      guard isFlagged else { return }
      let after = row.integer(5)
      oldestExport = min(oldestExport ?? after, after)
      guard tracesCauses else { return }
      try causes.update(key) {
        $0 = Cause(upTo: row.optionalInteger(4) ?? .min, after: after)
      }
    }
  }

  /// Takes a change of the app's as the cause of a flag: the first one after the last export, since when the object
  /// waits; of a record to be deleted, the deletion that the flag stands for. Changes must come oldest first.
  mutating func add(_ change: ScannedChange) throws {
    guard change.origin == .app else { return }
    let key = ObjectKey(entity: change.entity, primaryKey: change.primaryKey)
    guard marks[key].contains(.flagged) else { return }
    try causes.update(key) { cause in
      guard change.transaction > cause.after else { return }
      let isDeletion = change.kind == .delete && change.transaction <= cause.upTo
      if cause.transaction == 0 || isDeletion { cause.transaction = change.transaction }
    }
  }
}
