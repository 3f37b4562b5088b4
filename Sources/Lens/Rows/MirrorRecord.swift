package import Archives
package import Values

/// One row of record metadata: which object is which record, and how far it has come.
package struct MirrorRecord: HasFields, Sendable {
  package var primaryKey: Int64
  package var recordName: String?
  package var zoneKey: Int64?
  /// The zone's name; nil where the record has no zone, or one that is missing.
  package var zone: String?
  package var entityNumber: Int64?
  package var entity: String?
  package var objectKey: Int64?
  package var uri: String?
  package var state: RecordState
  package var needsUpload: Bool
  package var needsCloudDelete: Bool
  package var needsLocalDelete: Bool
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
