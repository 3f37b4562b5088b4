import Values

extension MirrorViews {
  /// One row per record: which object it stands for, and how far it has come.
  var recordsView: View? {
    guard tables.has(.records) else { return nil }
    func column(_ name: String) -> String { tables.sql(.records, name, "m") }
    func flag(_ name: String) -> String { tables.flag(.records, name, "m") }
    let entity = column("ZENTITYID")
    let key = column("ZENTITYPK")
    let zone = column("ZRECORDZONE")
    let found = objects.entityNumber(entity: entity, primaryKey: key)
    let exists = objects.exists(entity: entity, primaryKey: key)
    let copy =
      "m.Z_PK, \(encodedCopy.joined(separator: ", ")), \(systemFields.joined(separator: ", ")), \(column("ZENCODEDRECORDASSET")), \(column("ZSYSTEMFIELDSASSET"))"
    func copied(_ member: String) -> String { "record_copy('\(member)', \(copy))" }
    let zoneExists =
      tables.has(.zones) && tables.has(.records, "ZRECORDZONE")
      ? "EXISTS (SELECT 1 FROM main.ANSCKRECORDZONEMETADATA z WHERE z.Z_PK = m.ZRECORDZONE)" : "NULL"
    let keys = MirrorRecord.fields.keys()
    return View(
      "records", rows: "record of the mirror",
      [
        .init("recordName", of: keys, column("ZCKRECORDNAME")),
        .init("zone", of: keys, self.zone(zone)).named(.zone),
        .init("entity", of: keys, "model_entity(\(entity))").open,
        .init("pk", of: keys, key).open,
        .init("uri", of: keys, "model_uri(\(entity), \(key))").open,
        .init("state", of: keys, state(entity: entity, key: key, exists: exists)).open,
        .init("needsUpload", of: keys, flag("ZNEEDSUPLOAD")).open,
        .init("needsCloudDelete", of: keys, flag("ZNEEDSCLOUDDELETE")).open,
        .init("acknowledged", of: keys, acknowledged).open,
        .init("lastExported", of: keys, column("ZLASTEXPORTEDTRANSACTIONNUMBER")).open,
        .init("pendingExport", of: keys, column("ZPENDINGEXPORTTRANSACTIONNUMBER")).open,
        .init("objectExists", of: keys, exists).open,
        .init("recordType", of: keys, "record_type(\(entity))").open,
        .init("fields", .json, "the fields in the copy from the server", copied("fields")),
        .init("changeTag", of: keys, copied("changeTag")), .init("created", of: keys, copied("created")),
        .init("modified", of: keys, copied("modified")), .init("problem", of: keys, copied("problem")),
        .init("row", .integer, "the key of the mirror's row", "m.Z_PK").open,
        .init("entityNumber", .integer, "the number of the object's entity", entity).open,
        .init(
          "objectEntityNumber", .integer,
          "the number that the object's own row has: -1 for none, NULL if there is no row", found
        ).open,
        .init("tableExists", .bool, "the store has the entity's table", objects.hasTable(entity: entity))
          .open,
        .init("zoneRow", .integer, "the key of the zone's row", zone).open,
        .init("zoneExists", .bool, "the zone's row is there; NULL if the store keeps none", zoneExists).open,
        .init("needsLocalDelete", .bool, "flagged for deletion here", flag("ZNEEDSLOCALDELETE")).open,
      ]
        + [.init("pendingKind", .text, "the kind of pending change", pendingKind, isShown: false)]
        + zip(["copy", "taggedCopy", "systemFields", "taggedSystemFields"], encodedCopy + systemFields).map {
          .init($0, .blob, "an archive", $1, isShown: false)
        } + [
          .init(
            "copyAsset", .integer, "the key of the copy's row", column("ZENCODEDRECORDASSET"), isShown: false),
          .init(
            "systemFieldsAsset", .integer, "the key of the system fields' row", column("ZSYSTEMFIELDSASSET"),
            isShown: false),
        ],
      from: "main.ANSCKRECORDMETADATA m")
  }

  /// One row per copy of a record as it lies in the store, first those in rows of their own. For a rule that asks their
  /// sizes, which `records` can't show without reading them; no views for SQL.
  package var storedCopies: [View] {
    guard let records else { return [] }
    let record = "(\(records.select(["row", "uri", "recordName", "zone"]))) r ON r.\"row\""
    func view(_ plain: String, _ tagged: String, from source: String) -> View {
      View(
        "storedCopies", rows: "stored copy of a record",
        [
          .init("uri", .uri, "the URI of the record's object", "r.uri"),
          .init("recordName", .text, "the record's name", "r.recordName"),
          .init("zone", .text, "its zone", "r.zone"), .init("copy", .blob, "the archive", plain),
          .init("taggedCopy", .blob, "the archive with a tag of external storage", tagged),
          .init("row", .integer, "the key of the row that it is in", "a.Z_PK"),
        ], from: source)
    }
    var views: [View] = []
    if tables.has(.encodedRecords) {
      let owner = tables.sql(.encodedRecords, "ZRECORD", "a")
      views.append(
        view(
          tables.sql(.encodedRecords, "ZBINARYDATA", "a"),
          tables.sql(.encodedRecords, "ZEXTERNALBINARYDATA", "a"),
          from: "main.\(FrameworkTable.encodedRecords.rawValue) a LEFT JOIN \(record) = \(owner)"))
    }
    if tables.has(.records, "ZENCODEDRECORD") {
      views.append(
        view(
          "NULL", "a.ZENCODEDRECORD",
          from: "main.\(FrameworkTable.records.rawValue) a JOIN \(record) = a.Z_PK"))
    }
    return views
  }

  private var pendingKind: String {
    """
    CASE WHEN \(tables.flag(.records, "ZNEEDSUPLOAD", "m")) THEN
      IIF(\(tables.flag(.records, "ZNEEDSCLOUDDELETE", "m")), '\(PendingItem.Kind.cloudDelete.rawValue)',
        '\(PendingItem.Kind.upload.rawValue)') END
    """
  }

  /// `RecordState` says what each means.
  private func state(entity: String, key: String, exists: String) -> String {
    let upload = tables.flag(.records, "ZNEEDSUPLOAD", "m")
    let delete = tables.flag(.records, "ZNEEDSCLOUDDELETE", "m")
    return """
      CASE
        WHEN \(delete) AND \(upload) THEN 'pendingCloudDelete'
        WHEN \(delete) THEN 'deleteLeftover'
        WHEN NOT \(exists) AND unanalyzed_outcome(\(entity), \(key)) IS NOT 'deleted' THEN 'orphan'
        WHEN \(upload) THEN 'pendingUpload'
        WHEN \(acknowledged) THEN 'uploaded'
        ELSE 'neverAcknowledged'
      END
      """
  }

  private var acknowledged: String {
    let proofs = ["ZENCODEDRECORD", "ZCKRECORDSYSTEMFIELDS", "ZENCODEDRECORDASSET", "ZSYSTEMFIELDSASSET"]
      .filter { tables.has(.records, $0) }.map { "m.\($0) IS NOT NULL" }
    return proofs.isEmpty ? "0" : "(\(proofs.joined(separator: " OR ")))"
  }

  /// The archive of the record's copy: first where it lies without a tag of external storage, then where with one.
  private var encodedCopy: [String] {
    let asset = asset(.encodedRecords, "ZENCODEDRECORDASSET")
    return [asset[0], "COALESCE(\(asset[1]), \(tables.sql(.records, "ZENCODEDRECORD", "m")))"]
  }

  private var systemFields: [String] {
    let asset = asset(.recordSystemFields, "ZSYSTEMFIELDSASSET")
    return ["COALESCE(\(asset[0]), \(tables.sql(.records, "ZCKRECORDSYSTEMFIELDS", "m")))", asset[1]]
  }

  private func asset(_ table: FrameworkTable, _ reference: String) -> [String] {
    guard tables.has(table), tables.has(.records, reference) else { return ["NULL", "NULL"] }
    return ["ZBINARYDATA", "ZEXTERNALBINARYDATA"].map {
      "(SELECT \(tables.sql(table, $0, "a")) FROM main.\(table.rawValue) a WHERE a.Z_PK = m.\(reference))"
    }
  }
}
