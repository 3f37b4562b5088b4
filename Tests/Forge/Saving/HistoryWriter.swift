import Base
package import SQLite
import StoreModel

/// Writes persistent history: a transaction for each save and a change for each object in it.
package struct HistoryWriter {
  let connection: Connection
  let schema: ForgedSchema
  let generation: ForgeOptions.History

  /// Numbers of the framework's own entities.
  package enum Entity {
    package static let change: Int64 = 16001
    package static let transaction: Int64 = 16002
    package static let string: Int64 = 16003
  }

  func write(_ transaction: ForgeTruth.Transaction, _ changes: [ForgeTruth.Change], _ save: Save? = nil)
    throws
  {
    switch generation {
    case .none: return
    case .inlineStrings: try insertWithInlineStrings(transaction)
    case .internedStrings: try insertWithInternedStrings(transaction)
    }
    try setHighestKey(transaction.number, Entity.transaction, "TRANSACTION")
    if let save { for change in changes { try insert(change, save) } }
    if let last = changes.last { try setHighestKey(last.number, Entity.change, "CHANGE") }
  }

  private func insertWithInlineStrings(_ transaction: ForgeTruth.Transaction) throws {
    try connection.execute(
      """
      INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP, ZAUTHOR, ZBUNDLEID, ZCONTEXTNAME, ZPROCESSID)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .integer(transaction.number), .integer(Entity.transaction), .real(transaction.timestamp.seconds),
        .optional(transaction.author), .optional(transaction.bundle), .optional(transaction.context),
        .optional(transaction.process),
      ])
  }

  private func insertWithInternedStrings(_ transaction: ForgeTruth.Transaction) throws {
    let strings = try [transaction.author, transaction.bundle, transaction.context, transaction.process].map {
      try $0.map(interned) ?? .null
    }
    try connection.execute(
      """
      INSERT INTO ATRANSACTION (
        Z_PK, Z_ENT, ZTIMESTAMP, ZAUTHORTS, ZBUNDLEIDTS, ZCONTEXTNAMETS, ZPROCESSIDTS
      ) VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .integer(transaction.number), .integer(Entity.transaction), .real(transaction.timestamp.seconds),
      ] + strings)
  }

  /// The key of the text's row, made where it is new.
  package func interned(_ text: String) throws -> SQLiteValue {
    if let key = try connection.value("SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = ?", [.text(text)]) {
      return key
    }
    try connection.execute(
      "INSERT INTO ATRANSACTIONSTRING (Z_ENT, ZNAME) VALUES (?, ?)", [.integer(Entity.string), .text(text)])
    let key = try connection.first("SELECT last_insert_rowid()") { $0.integer(0) } ?? 0
    try setHighestKey(key, Entity.string, "TRANSACTIONSTRING")
    return .integer(key)
  }

  private func insert(_ change: ForgeTruth.Change, _ save: Save) throws {
    var columns = ["Z_PK", "Z_ENT", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID", "ZCOLUMNS"]
    var values: [SQLiteValue] = [
      .integer(change.number), .integer(Entity.change), .integer(change.kind.rawValue),
      .integer(change.object.entityNumber), .integer(change.object.primaryKey), .integer(change.transaction),
      change.kind == .update
        ? .blob(schema.mask(of: change.object, save.changedProperties[change.object] ?? [])) : .null,
    ]
    if change.kind == .delete, let state = save.deleted.first(where: { $0.object == change.object }) {
      for (index, attribute) in (schema.tombstones[change.object.entityNumber] ?? []).enumerated() {
        columns.append("ZTOMBSTONE\(index)")
        values.append(attribute.column.flatMap { state.cells[$0] } ?? .null)
      }
    }
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    try connection.execute(
      "INSERT INTO ACHANGE (\(columns.joined(separator: ", "))) VALUES (\(marks))", values)
  }

  /// Stores whose history was never written don't number these entities (measured on real stores).
  package func setHighestKey(_ key: Int64, _ number: Int64, _ name: String) throws {
    try connection.execute(
      """
      INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, 0, ?)
      ON CONFLICT (Z_ENT) DO UPDATE SET Z_MAX = excluded.Z_MAX
      """, [.integer(number), .text(name), .integer(key)])
  }
}

extension SQLiteValue {
  static func optional(_ text: String?) -> SQLiteValue { text.map(SQLiteValue.text) ?? .null }
}
