import SQLite
import StoreModel

/// Looks records up by object, or objects by record name, where an index makes that fast.
struct RecordNames {
  private let byObject: Statement?
  private let byName: Statement?

  /// Nil where the store has no records.
  init?(_ mirror: Mirror) throws {
    let tables = mirror.tables
    let needed = ["ZENTITYID", "ZENTITYPK", "ZCKRECORDNAME"]
    guard needed.allSatisfy({ tables.has(.records, $0) }) else { return nil }
    let connection = mirror.store.connection
    // Without its unique index every look would read the whole table.
    let leading = try connection.rows(
      """
      SELECT UPPER(c.name) FROM pragma_index_list('ANSCKRECORDMETADATA', 'main') i, pragma_index_info(i.name, 'main') c
      WHERE c.seqno = 0 AND c.name IS NOT NULL
      """
    ) { $0.text(0) }
    byObject =
      leading.contains("ZENTITYID")
      ? try connection.prepare(
        "SELECT ZCKRECORDNAME FROM main.ANSCKRECORDMETADATA WHERE ZENTITYID = ? AND ZENTITYPK = ? LIMIT 1")
      : nil
    byName =
      leading.contains("ZCKRECORDNAME")
      ? try connection.prepare(
        "SELECT ZENTITYID, ZENTITYPK FROM main.ANSCKRECORDMETADATA WHERE ZCKRECORDNAME = ? LIMIT 1") : nil
  }

  func name(of key: ObjectKey) throws -> String? {
    guard let byObject else { return nil }
    try byObject.bind([.integer(key.entity), .integer(key.primaryKey)])
    defer { byObject.reset() }
    return try byObject.step() ? byObject.optionalText(0) : nil
  }

  func object(named name: String) throws -> ObjectKey? {
    guard let byName else { return nil }
    try byName.bind(.text(name), at: 1)
    defer { byName.reset() }
    guard try byName.step(), !byName.isNull(0), !byName.isNull(1) else { return nil }
    return ObjectKey(entity: byName.integer(0), primaryKey: byName.integer(1))
  }
}
