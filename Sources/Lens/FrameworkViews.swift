import StoreModel

/// Views over the framework's own tables, with its own terms.
struct FrameworkViews {
  /// Nil where the store keeps no history.
  let history: HistoryTables?
  let hasPrimaryKeys: Bool

  /// One statement a view.
  var sql: [String] {
    (hasPrimaryKeys ? [entities] : []) + (history.map { [transactions($0), changes($0), joined] } ?? [])
  }

  private var entities: String {
    """
    CREATE TEMP VIEW entities AS SELECT Z_ENT AS number, Z_NAME AS name, NULLIF(Z_SUPER, 0) AS parent,
      Z_MAX AS highest_key FROM main.Z_PRIMARYKEY
    """
  }

  private func transactions(_ tables: HistoryTables) -> String {
    func column(_ name: String) -> String { tables.transactionColumns.contains(name) ? "t.\(name)" : "NULL" }
    return """
      CREATE TEMP VIEW transactions AS SELECT t.Z_PK AS "transaction",
        iso_date(\(column("ZTIMESTAMP"))) AS timestamp, \(tables.text("ZAUTHOR")) AS author,
        \(tables.text("ZBUNDLEID")) AS bundle, \(tables.text("ZPROCESSID")) AS process,
        \(tables.text("ZCONTEXTNAME")) AS context
      FROM main.ATRANSACTION t
      """
  }

  private func changes(_ tables: HistoryTables) -> String {
    func column(_ name: String) -> String { tables.changeColumns.contains(name) ? "c.\(name)" : "NULL" }
    return """
      CREATE TEMP VIEW changes AS SELECT c.Z_PK AS pk, c.ZTRANSACTIONID AS "transaction",
        change_name(\(column("ZCHANGETYPE"))) AS change, entity_name(\(column("ZENTITY"))) AS entity,
        \(column("ZENTITYPK")) AS object_pk,
        object_uri(\(column("ZENTITY")), \(column("ZENTITYPK"))) AS uri,
        changed_properties(\(column("ZENTITY")), \(column("ZCOLUMNS"))) AS properties
      FROM main.ACHANGE c
      """
  }

  private var joined: String {
    """
    CREATE TEMP VIEW history AS SELECT c."transaction", t.timestamp, t.author, t.bundle, t.process, t.context,
      c.change, c.entity, c.object_pk, c.uri, c.properties
    FROM changes c LEFT JOIN transactions t ON t."transaction" = c."transaction"
    """
  }
}
