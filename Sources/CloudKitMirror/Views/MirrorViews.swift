import SQLite
import StoreModel

/// SQL of temporary views over the mirror, with its own terms: `records`, `zones`, `links`, `events`,
/// `metadata_entries` and `pending`. They use the functions that `Lens` installs, so it goes first.
package struct MirrorViews {
  let mirror: Mirror
  var tables: MirrorTables { mirror.tables }

  package init(_ mirror: Mirror) { self.mirror = mirror }

  package static let names = ["records", "zones", "links", "events", "metadata_entries", "pending"]

  /// Makes the views on the store's own connection. `pending` has the same rows as `PendingReader`.
  package func install() throws {
    try MirrorFunctions(mirror: mirror).install()
    try sql.forEach(mirror.store.connection.execute)
  }

  /// One statement a view; none for tables that the store lacks.
  private var sql: [String] {
    var views: [String] = []
    func add(_ name: String, _ select: String?) {
      if let select { views.append("CREATE TEMP VIEW \(name) AS \(select)") }
    }
    add("records", records)
    add("zones", zones)
    add("links", links)
    add("events", events)
    add("metadata_entries", entries)
    add("pending", pending)
    return views
  }

  func zone(_ reference: String) -> String {
    guard tables.has(.zones) else { return "NULL" }
    let name = tables.sql(.zones, "ZCKRECORDZONENAME", "z")
    return "(SELECT \(name) FROM main.ANSCKRECORDZONEMETADATA z WHERE z.Z_PK = \(reference))"
  }

  private var records: String? {
    guard tables.has(.records) else { return nil }
    func column(_ name: String) -> String { tables.sql(.records, name, "m") }
    func flag(_ name: String) -> String { tables.flag(.records, name, "m") }
    let proofs = ["ZENCODEDRECORD", "ZCKRECORDSYSTEMFIELDS", "ZENCODEDRECORDASSET", "ZSYSTEMFIELDSASSET"]
      .filter { tables.has(.records, $0) }.map { "m.\($0) IS NOT NULL" }
    let acknowledged = proofs.isEmpty ? "0" : "(\(proofs.joined(separator: " OR ")))"
    let entity = column("ZENTITYID")
    let object = ObjectLookup.entityNumber(
      entity: entity, primaryKey: column("ZENTITYPK"), in: mirror.store)
    return """
      SELECT m.Z_PK AS pk, \(column("ZCKRECORDNAME")) AS record_name, \(zone(column("ZRECORDZONE"))) AS zone,
        \(column("ZRECORDZONE")) AS zone_pk, \(zoneExists) AS zone_exists,
        entity_name(\(entity)) AS entity, \(entity) AS entity_number, \(column("ZENTITYPK")) AS object_pk,
        object_uri(\(entity), \(column("ZENTITYPK"))) AS uri,
        CASE
          WHEN \(flag("ZNEEDSCLOUDDELETE")) AND \(flag("ZNEEDSUPLOAD")) THEN 'pendingCloudDelete'
          WHEN \(flag("ZNEEDSCLOUDDELETE")) THEN 'deleteLeftover'
          WHEN (\(object)) IS NOT \(entity)
            AND unanalyzed_outcome(\(entity), \(column("ZENTITYPK"))) IS NOT 'deleted' THEN 'orphan'
          WHEN \(flag("ZNEEDSUPLOAD")) THEN 'pendingUpload'
          WHEN \(acknowledged) THEN 'uploaded'
          ELSE 'neverAcknowledged'
        END AS state,
        \(flag("ZNEEDSUPLOAD")) AS needs_upload, \(flag("ZNEEDSCLOUDDELETE")) AS needs_cloud_delete,
        \(acknowledged) AS acknowledged, \(column("ZLASTEXPORTEDTRANSACTIONNUMBER")) AS last_exported,
        \(column("ZPENDINGEXPORTTRANSACTIONNUMBER")) AS pending_export,
        COALESCE((\(object)) IS \(entity) AND \(entity) IS NOT NULL, 0) AS object_exists,
        \(object) AS object_entity, \(ObjectLookup.hasTable(entity: entity, in: mirror.store)) AS table_exists
      FROM main.ANSCKRECORDMETADATA m
      """
  }

  /// Whether the record's zone is there; NULL where the store's generation doesn't say.
  private var zoneExists: String {
    guard tables.has(.zones), tables.has(.records, "ZRECORDZONE") else { return "NULL" }
    return "EXISTS (SELECT 1 FROM main.ANSCKRECORDZONEMETADATA z WHERE z.Z_PK = m.ZRECORDZONE)"
  }

  private var zones: String? {
    guard tables.has(.zones) else { return nil }
    func column(_ name: String) -> String { tables.sql(.zones, name, "z") }
    let scope =
      tables.has(.databases)
      ? """
      (SELECT CASE \(tables.sql(.databases, "ZDATABASESCOPENUM", "d")) WHEN 1 THEN 'public' WHEN 2 THEN 'private'
        WHEN 3 THEN 'shared' END FROM main.ANSCKDATABASEMETADATA d WHERE d.Z_PK = \(column("ZDATABASE")))
      """ : "NULL"
    let records =
      tables.has(.records, "ZRECORDZONE")
      ? "(SELECT COUNT(*) FROM main.ANSCKRECORDMETADATA m WHERE m.ZRECORDZONE = z.Z_PK)" : "0"
    return """
      SELECT z.Z_PK AS pk, \(column("ZCKRECORDZONENAME")) AS name, \(column("ZCKOWNERNAME")) AS owner,
        \(scope) AS scope, \(records) AS records, \(tables.flag(.zones, "ZNEEDSIMPORT", "z")) AS needs_import,
        \(column("ZCURRENTCHANGETOKEN")) IS NOT NULL AS has_token,
        iso_date(\(column("ZLASTFETCHDATE"))) AS last_fetch,
        \(tables.flag(.zones, "ZHASRECORDZONENUM", "z")) AS has_record_zone,
        \(tables.flag(.zones, "ZNEEDSSHAREUPDATE", "z")) AS needs_share_update,
        \(tables.flag(.zones, "ZNEEDSSHAREDELETE", "z")) AS needs_share_delete,
        \(tables.flag(.zones, "ZNEEDSNEWSHAREINVITATION", "z")) AS needs_new_share_invitation,
        \(tables.flag(.zones, "ZNEEDSRECOVERYFROMIDENTITYLOSS", "z")) AS needs_recovery_from_identity_loss,
        \(tables.flag(.zones, "ZNEEDSRECOVERYFROMZONEDELETE", "z")) AS needs_recovery_from_zone_delete,
        \(tables.flag(.zones, "ZNEEDSRECOVERYFROMUSERPURGE", "z")) AS needs_recovery_from_user_purge
      FROM main.ANSCKRECORDZONEMETADATA z
      """
  }

  private var links: String? {
    guard tables.has(.links) else { return nil }
    func column(_ name: String) -> String { tables.sql(.links, name, "l") }
    return """
      SELECT l.Z_PK AS pk, \(column("ZCKRECORDID")) AS record_name, \(zone(column("ZRECORDZONE"))) AS zone,
        \(column("ZRECORDZONE")) AS zone_pk,
        \(column("ZCDENTITYNAME")) AS entity, \(column("ZRECORDNAME")) AS object_record,
        \(column("ZRELATIONSHIPNAME")) AS relationship, \(column("ZRELATEDENTITYNAME")) AS related_entity,
        \(column("ZRELATEDRECORDNAME")) AS related_record,
        \(tables.flag(.links, "ZISUPLOADED", "l")) AS is_uploaded,
        \(tables.flag(.links, "ZISPENDING", "l")) AS is_pending,
        \(tables.flag(.links, "ZNEEDSDELETE", "l")) AS needs_delete,
        \(hasRecord(column("ZRECORDNAME"))) AS object_known, \(hasRecord(column("ZRELATEDRECORDNAME"))) AS related_known
      FROM main.ANSCKMIRROREDRELATIONSHIP l
      """
  }

  /// Whether any record has that name, in whatever zone. `IN` uses the index of the names, and makes one where it is
  /// missing.
  private func hasRecord(_ name: String) -> String {
    guard tables.has(.records, "ZCKRECORDNAME") else { return "0" }
    return "COALESCE(\(name) IN (SELECT m.ZCKRECORDNAME FROM main.ANSCKRECORDMETADATA m), 0)"
  }

  private var events: String? {
    guard tables.has(.events) else { return nil }
    func column(_ name: String) -> String { tables.sql(.events, name, "e") }
    return """
      SELECT e.Z_PK AS pk, uuid_text(\(column("ZEVENTIDENTIFIER"))) AS id,
        CASE \(column("ZCLOUDKITEVENTTYPE")) WHEN 0 THEN 'setup' WHEN 1 THEN 'import' WHEN 2 THEN 'export' END AS type,
        iso_date(\(column("ZSTARTEDAT"))) AS started, iso_date(\(column("ZENDEDAT"))) AS ended,
        \(tables.flag(.events, "ZSUCCEEDED", "e")) AS succeeded, \(column("ZERRORDOMAIN")) AS error_domain,
        CASE WHEN \(column("ZERRORDOMAIN")) IS NOT NULL OR \(column("ZERRORCODE")) <> 0
          THEN \(column("ZERRORCODE")) END AS error_code,
        \(column("ZCOUNTAFFECTEDOBJECTS")) AS affected, \(column("ZCOUNTFINISHEDOBJECTS")) AS finished,
        \(tables.number(.events, "ZSTARTEDAT", "e")) AS started_seconds,
        \(tables.has(.events, "ZENDEDAT") ? "e.ZENDEDAT IS NULL" : "0") AS is_open
      FROM main.ANSCKEVENT e
      """
  }

  private var entries: String? {
    guard tables.has(.metadataEntries) else { return nil }
    func column(_ name: String) -> String { tables.sql(.metadataEntries, name, "e") }
    return """
      SELECT e.Z_PK AS pk, \(column("ZKEY")) AS key, \(column("ZBOOLVALUENUM")) AS bool_value,
        \(column("ZINTEGERVALUE")) AS integer_value, iso_date(\(column("ZDATEVALUE"))) AS date_value,
        \(column("ZSTRINGVALUE")) AS string_value, blob_json(\(column("ZTRANSFORMEDVALUE"))) AS archive
      FROM main.ANSCKMETADATAENTRY e
      """
  }
}
