package import Archives
package import Base

/// One row of record metadata: which object is which record, and how far it has come.
package struct MirrorRecord: HasFields, Sendable {
  package var primaryKey: Int64
  package var recordName: String?
  /// The zone's name; nil where the record has no zone, or one that is missing.
  package var zone: String?
  package var entityNumber: Int64?
  package var entity: String?
  package var objectKey: Int64?
  package var uri: String?
  package var state: RecordState
  package var needsUpload: Bool
  package var needsCloudDelete: Bool
  /// The store has a copy of the record, or its system fields, from the server.
  package var isAcknowledged: Bool
  package var lastExported: Int64?
  package var pendingExport: Int64?
  /// A row of exactly this entity with this key.
  package var objectExists: Bool
  /// From the record's archive; else `CD_` and the name of the root entity, as Apple documents.
  package var recordType: String?
  /// The fields' names and values in the copy from the server; nil where it wasn't asked for or isn't there.
  package var fields: DataValue?
  package var systemFields: RecordSystemFields?
  /// Why an archive can't be read, a clause without a full stop.
  package var problem: String?

  /// The object that it stands for, whether it exists or not; nil if it names none.
  package var object: ObjectKey? {
    guard let entityNumber, let objectKey else { return nil }
    return ObjectKey(entity: entityNumber, primaryKey: objectKey)
  }

  package static let fields: [Field<Self>] =
    [
      Field("recordName", "the record's name on the server") { $0.recordName },
      Field("zone", "the zone's name") { $0.zone },
      Field("entity", "the object's entity; null if the model has no such number") { $0.entity },
      Field("pk", "the object's primary key") { $0.objectKey },
      Field("uri", .uri, "the object's URI") { $0.uri },
      Field("state", RecordState.allCases.map(\.rawValue).joined(separator: ", ")) { $0.state },
      Field("needsUpload", "flagged for upload") { $0.needsUpload },
      Field("needsCloudDelete", "flagged for deletion on the server") { $0.needsCloudDelete },
      Field("acknowledged", "the store has a copy from the server, or its system fields") {
        $0.isAcknowledged
      },
      Field("lastExported", "the transaction up to which it was exported") { $0.lastExported },
      Field("pendingExport", "the transaction for which it was flagged") { $0.pendingExport },
      Field("objectExists", "there is an object of exactly this entity with this key") { $0.objectExists },
      Field("recordType", "the type on the server, CD_ and the root entity's name") { $0.recordType },
      Field("fields", .any, "the fields in the copy from the server") { $0.fields },
      Field("changeTag", .text.orNull, "the copy's version", if: decoded) {
        $0.systemFields.map { DataValue.optional($0.changeTag) }
      },
      Field("created", .date, "when the server made the record", if: decoded) {
        $0.systemFields.map { DataValue.optional($0.created) }
      },
      Field("modified", .date, "when the server last changed it", if: decoded) {
        $0.systemFields.map { DataValue.optional($0.modified) }
      },
      Field("problem", .text.orNull, "why its copy can't be read", if: "its copy can't be read") {
        $0.problem
      },
    ]
  private static let decoded = "its copy was decoded"
}

/// Where one record stands between this store and the server. Raw values are for users.
///
/// A record has exactly one state, the first of these that holds; the view `records` decides it:
///
/// 1. `pendingCloudDelete`: flagged for upload and for deletion on the server. Its object is gone by right.
/// 2. `deleteLeftover`: flagged for deletion only: the deletion was sent, and the next export drops the row.
/// 3. `orphan`: its object doesn't exist, and history has no delete of it left to be processed. A record that names no
///    entity or no key has no object. Flagged for upload, the next export deletes the record on the server.
/// 4. `pendingUpload`: flagged for upload.
/// 5. `neverAcknowledged`: not flagged, and without anything that came from the server.
/// 6. `uploaded`: the server has it. The object may have changed since without having been processed.
package enum RecordState: String, FieldWord, Sendable {
  case pendingCloudDelete, deleteLeftover, orphan, pendingUpload, neverAcknowledged, uploaded

  /// In a legend.
  package var label: String {
    switch self {
    case .uploaded: "uploaded"
    case .pendingUpload: "to be uploaded"
    case .pendingCloudDelete: "to be deleted"
    case .deleteLeftover: "deleted, row left"
    case .neverAcknowledged: "never acknowledged"
    case .orphan: "orphaned"
    }
  }

  /// In a sentence: "its record is …".
  package var phrase: String {
    switch self {
    case .uploaded: "uploaded"
    case .pendingUpload: "flagged for upload"
    case .pendingCloudDelete: "flagged for deletion on the server"
    case .deleteLeftover: "left over from a deletion that was sent"
    case .neverAcknowledged: "neither flagged nor known to the server"
    case .orphan: "an orphan: its object doesn't exist"
    }
  }
}

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
