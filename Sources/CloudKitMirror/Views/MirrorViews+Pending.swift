import StoreModel

extension MirrorViews {
  var pending: String? {
    var parts: [String] = []
    if tables.has(.records) {
      func column(_ name: String) -> String { tables.sql(.records, name, "m") }
      parts.append(
        """
        SELECT CASE WHEN \(tables.flag(.records, "ZNEEDSCLOUDDELETE", "m")) THEN 'cloudDelete' ELSE 'upload' END AS kind,
          entity_name(\(column("ZENTITYID"))) AS entity, \(column("ZENTITYPK")) AS object_pk,
          object_uri(\(column("ZENTITYID")), \(column("ZENTITYPK"))) AS uri, \(column("ZCKRECORDNAME")) AS record_name,
          \(zone(column("ZRECORDZONE"))) AS zone, NULL AS "transaction"
        FROM main.ANSCKRECORDMETADATA m WHERE \(tables.flag(.records, "ZNEEDSUPLOAD", "m"))
        """)
    }
    if tables.has(.links) {
      func column(_ name: String) -> String { tables.sql(.links, name, "l") }
      let needsDelete = tables.flag(.links, "ZNEEDSDELETE", "l")
      parts.append(
        """
        SELECT CASE WHEN \(needsDelete) THEN 'linkDelete' ELSE 'link' END AS kind, \(column("ZCDENTITYNAME")) AS entity,
          NULL AS object_pk, NULL AS uri, \(column("ZCKRECORDID")) AS record_name,
          \(zone(column("ZRECORDZONE"))) AS zone, NULL AS "transaction"
        FROM main.ANSCKMIRROREDRELATIONSHIP l WHERE \(needsDelete) OR NOT \(tables.flag(.links, "ZISUPLOADED", "l"))
        """)
    }
    if tables.has(.zones) {
      parts.append(
        """
        SELECT 'share' AS kind, NULL AS entity, NULL AS object_pk, NULL AS uri, NULL AS record_name,
          \(tables.sql(.zones, "ZCKRECORDZONENAME", "z")) AS zone, NULL AS "transaction"
        FROM main.ANSCKRECORDZONEMETADATA z
        WHERE \(tables.flag(.zones, "ZNEEDSSHAREUPDATE", "z")) OR \(tables.flag(.zones, "ZNEEDSSHAREDELETE", "z"))
        """)
    }
    if tables.has(.moveReceipts) {
      parts.append(
        """
        SELECT 'moveReceipt' AS kind, NULL AS entity, NULL AS object_pk, NULL AS uri,
          \(tables.sql(.moveReceipts, "ZRECORDNAME", "r")) AS record_name,
          \(tables.sql(.moveReceipts, "ZZONENAME", "r")) AS zone, NULL AS "transaction"
        FROM main.ANSCKRECORDZONEMOVERECEIPT r WHERE \(tables.flag(.moveReceipts, "ZNEEDSCLOUDDELETE", "r"))
        """)
    }
    if let unanalyzed { parts.append(unanalyzed) }
    return parts.isEmpty ? nil : parts.joined(separator: "\nUNION ALL\n")
  }

  private var unanalyzed: String? {
    guard let isApp = mirror.origins?.isApp,
      ["ZTRANSACTIONID", "ZENTITY", "ZENTITYPK", "ZCHANGETYPE"].allSatisfy({ tables.has(.changes, $0) })
    else { return nil }
    var isFlagged = "0"
    if ["ZENTITYID", "ZENTITYPK"].allSatisfy({ tables.has(.records, $0) }) {
      isFlagged = """
        EXISTS (SELECT 1 FROM main.ANSCKRECORDMETADATA m WHERE m.ZENTITYID = c.ZENTITY
          AND m.ZENTITYPK = c.ZENTITYPK AND \(tables.flag(.records, "ZNEEDSUPLOAD", "m")))
        """
    }
    return """
      SELECT 'unanalyzed' AS kind, entity_name(c.ZENTITY) AS entity, c.ZENTITYPK AS object_pk,
        object_uri(c.ZENTITY, c.ZENTITYPK) AS uri, NULL AS record_name, NULL AS zone,
        MIN(c.ZTRANSACTIONID) AS "transaction"
      FROM main.ACHANGE c JOIN main.ATRANSACTION t ON t.Z_PK = c.ZTRANSACTIONID
      WHERE c.ZTRANSACTIONID > \(mirror.token.analysedUpTo) AND c.ZENTITY < \(PrimaryKeyTable.firstFrameworkNumber)
        AND \(isApp)
      GROUP BY c.ZENTITY, c.ZENTITYPK
      HAVING NOT (TOTAL(c.ZCHANGETYPE = 0) > 0 AND TOTAL(c.ZCHANGETYPE = 2) > 0) AND NOT \(isFlagged)
      """
  }
}
