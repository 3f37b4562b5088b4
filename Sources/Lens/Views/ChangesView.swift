import StoreModel

extension View {
  /// One row per change of an object.
  package static func changes(_ tables: HistoryTables) -> View {
    let entity = tables.change("ZENTITY")
    let key = tables.change("ZENTITYPK")
    let kind = tables.change("ZCHANGETYPE")
    let mask =
      "CASE WHEN \(kind) = \(HistoryReader.ChangeKind.update.rawValue) THEN \(tables.change("ZCOLUMNS")) END"
    // Not a join: in an outer join with another view SQLite would make a copy of all changes first.
    // https://www.sqlite.org/optoverview.html#subquery_flattening
    func transaction(_ expression: String) -> String {
      "(SELECT \(expression) FROM main.ATRANSACTION t WHERE t.Z_PK = c.ZTRANSACTIONID)"
    }
    // SQLite takes about a hundred arguments: https://www.sqlite.org/limits.html#max_function_arg
    let kept = tables.tombstoneColumns.prefix(90).map { ", c.\($0)" }.joined()
    return View(
      "changes", rows: "change of an object in history",
      [
        Column("transaction", .integer, "the number of its transaction", "c.ZTRANSACTIONID"),
        Column("timestamp", .date, "when it was saved", transaction(tables.transaction("ZTIMESTAMP"))),
      ] + origins.map { Column($0.name, .text, $0.meaning, transaction(tables.text($0.column))) } + [
        Column("change", .text, "insert, update or delete", "change_name(\(kind))"),
        Column("entity", .text, "the object's entity", "entity_name(\(entity))"),
        Column("pk", .integer, "the object's primary key", key),
        Column("uri", .uri, "the object's URI", "object_uri(\(entity), \(key))"),
        Column(
          "properties", .json, "the names of the properties that an update changed",
          "changed_properties(\(entity), \(mask))"),
        Column(
          "tombstone", .json, "what was kept of a deleted object",
          "tombstone(\(entity), \(kind)\(kept))"),
        Column(
          "unsure", .json, "those of the names that may be wrong",
          "unsure_properties(\(entity), \(mask))"),
        Column("row", .integer, "the change's own key, in the order of writing", "c.Z_PK"),
        Column("entityNumber", .integer, "the number of the object's entity", entity),
      ], from: "main.ACHANGE c")
  }
}
