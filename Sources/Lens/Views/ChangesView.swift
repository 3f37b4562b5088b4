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
