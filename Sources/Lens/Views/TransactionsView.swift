import StoreModel

extension View {
  /// One row per save.
  package static func transactions(_ tables: HistoryTables) -> View {
    View(
      "transactions", rows: "transaction of history",
      [
        Column("transaction", .integer, "its number", "t.Z_PK"),
        Column("timestamp", .date, "when it was saved", tables.transaction("ZTIMESTAMP")),
      ] + origins.map { Column($0.name, .text, $0.meaning, tables.text($0.column)) },
      from: "main.ATRANSACTION t")
  }

  /// What a transaction tells of who saved it.
  static let origins: [(name: String, column: String, meaning: String)] = [
    (
      "author", "ZAUTHOR",
      "the context's transaction author; the mirror's own begin with 'NSCloudKitMirroringDelegate.'"
    ),
    ("bundle", "ZBUNDLEID", "the program's bundle identifier"),
    ("process", "ZPROCESSID", "the program's name"),
    ("context", "ZCONTEXTNAME", "the context's name"),
  ]
}
