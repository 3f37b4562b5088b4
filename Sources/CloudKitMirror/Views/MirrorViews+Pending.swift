import SQLite
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
      // Before the flags there was no such column, and a link's absence says nothing.
      let isNew =
        tables.has(.links, "ZISUPLOADED") ? "NOT \(tables.flag(.links, "ZISUPLOADED", "l"))" : "0"
      parts.append(
        """
        SELECT CASE WHEN \(needsDelete) THEN 'linkDelete' ELSE 'link' END AS kind, \(column("ZCDENTITYNAME")) AS entity,
          NULL AS object_pk, NULL AS uri, \(column("ZCKRECORDID")) AS record_name,
          \(zone(column("ZRECORDZONE"))) AS zone, NULL AS "transaction"
        FROM main.ANSCKMIRROREDRELATIONSHIP l
        WHERE NOT \(tables.flag(.links, "ZISUPLOADED", "l")) AND (\(needsDelete) OR \(isNew))
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
    if tables.has(.records) { parts += unregistered }
    return parts.isEmpty ? nil : union(parts)
  }

  /// A term for each table of a large model would be more than a compound may have:
  /// https://www.sqlite.org/limits.html#max_compound_select
  private func union(_ parts: [String]) -> String {
    let most = 100
    guard parts.count > most else { return parts.joined(separator: "\nUNION ALL\n") }
    return union(
      stride(from: 0, to: parts.count, by: most).map { start in
        "SELECT * FROM (\(union(Array(parts[start..<min(start + most, parts.count)]))))"
      })
  }

  /// Whether a record of the object is there, and passes the condition: SQL over its entity number and key.
  private func hasRecord(_ entity: String, _ key: String, where condition: String = "1") -> String {
    guard ["ZENTITYID", "ZENTITYPK"].allSatisfy({ tables.has(.records, $0) }) else { return "0" }
    return """
      (\(entity), \(key)) IN (SELECT m.ZENTITYID, m.ZENTITYPK FROM main.ANSCKRECORDMETADATA m
        WHERE m.ZENTITYID IS NOT NULL AND m.ZENTITYPK IS NOT NULL AND \(condition))
      """
  }

  /// Which objects history may have to tell of; what it comes to is for `unanalyzed_outcome` to say.
  private var unanalyzed: String? {
    var sources: [String] = []
    if mirror.origins != nil,
      ["ZTRANSACTIONID", "ZENTITY", "ZENTITYPK", "ZCHANGETYPE"].allSatisfy({ tables.has(.changes, $0) })
    {
      sources.append(
        """
        SELECT c.ZENTITY AS entity, COALESCE(c.ZENTITYPK, 0) AS object_pk FROM main.ACHANGE c
          WHERE c.ZTRANSACTIONID > \(mirror.token.analysedUpTo)
            AND c.ZENTITY < \(PrimaryKeyTable.firstFrameworkNumber)
        """)
    }
    if tables.has(.analyzerStates) {
      let columns = ["ZENTITYID", "ZENTITYPK"].map { tables.sql(.analyzerStates, $0, "s") }
      sources.append(
        "SELECT \(columns[0]) AS entity, \(columns[1]) AS object_pk FROM main.ANSCKHISTORYANALYZERSTATE s")
    }
    guard !sources.isEmpty else { return nil }
    let isFlagged = hasRecord("o.entity", "o.object_pk", where: tables.flag(.records, "ZNEEDSUPLOAD", "m"))
    let isRegistered = tables.has(.records) ? hasRecord("o.entity", "o.object_pk") : "1"
    return """
      SELECT 'unanalyzed' AS kind, entity_name(o.entity) AS entity, o.object_pk,
        object_uri(o.entity, o.object_pk) AS uri, NULL AS record_name, NULL AS zone,
        unanalyzed_since(o.entity, o.object_pk) AS "transaction"
      FROM (\(sources.joined(separator: "\nUNION\n"))) o
      WHERE is_mirrored(o.entity) AND unanalyzed_outcome(o.entity, o.object_pk) IS NOT NULL
        AND NOT \(isFlagged)
        AND (unanalyzed_outcome(o.entity, o.object_pk) <> 'deleted' OR \(isRegistered))
      """
  }

  /// One for each table with rows of the model.
  private var unregistered: [String] {
    var numbers: [String: [Int64]] = [:]
    for entity in mirror.store.schema.entities { numbers[entity.table, default: []].append(entity.number) }
    return numbers.keys.sorted().compactMap { table in
      guard mirror.store.tables.holdsObjects(table), let wanted = numbers[table] else { return nil }
      return """
        SELECT 'unregistered' AS kind, entity_name(r.Z_ENT) AS entity, r.Z_PK AS object_pk,
          object_uri(r.Z_ENT, r.Z_PK) AS uri, NULL AS record_name, NULL AS zone, NULL AS "transaction"
        FROM main.\(quotedIdentifier(table)) r
        WHERE r.Z_ENT IN (\(wanted.map(String.init).joined(separator: ", "))) AND needs_record(r.Z_ENT)
          AND NOT \(hasRecord("r.Z_ENT", "r.Z_PK")) AND unanalyzed_outcome(r.Z_ENT, r.Z_PK) IS NULL
        """
    }
  }
}
