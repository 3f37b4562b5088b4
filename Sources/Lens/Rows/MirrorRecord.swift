package import Archives
package import Values

/// One row of record metadata: which object is which record, and how far it has come.
package struct MirrorRecord: Sendable {
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

  /// The members that `records` prints, in order.
  package var value: DataValue {
    var members: [DataValue.Member] = [
      .init("recordName", .optional(recordName)), .init("zone", .optional(zone)),
      .init("entity", .optional(entity)), .init("pk", .optional(objectKey)), .init("uri", .optional(uri)),
      .init("state", .text(state.rawValue)), .init("needsUpload", .bool(needsUpload)),
      .init("needsCloudDelete", .bool(needsCloudDelete)), .init("acknowledged", .bool(isAcknowledged)),
      .init("lastExported", .optional(lastExported)), .init("pendingExport", .optional(pendingExport)),
      .init("objectExists", .bool(objectExists)), .init("recordType", .optional(recordType)),
      .init("fields", fields ?? .null),
    ]
    if let systemFields {
      members += [
        .init("changeTag", .optional(systemFields.changeTag)),
        .init("created", .optional(systemFields.created)),
        .init("modified", .optional(systemFields.modified)),
      ]
    }
    if let problem { members.append(.init("problem", .text(problem))) }
    return .object(members)
  }
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
package enum RecordState: String, Sendable, CaseIterable {
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
