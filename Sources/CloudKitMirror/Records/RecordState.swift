/// Where one record stands between this store and the server. Raw values are for users.
///
/// A record has exactly one state, the first of these that holds:
///
/// 1. `pendingCloudDelete`: flagged for upload and for deletion on the server. Its object is gone by right.
/// 2. `deleteLeftover`: flagged for deletion only: the deletion was sent, and the next export drops the row.
/// 3. `orphan`: its object doesn't exist, and no delete of it waits in history to be analysed. Flagged for upload,
///    the next export deletes the record on the server.
/// 4. `pendingUpload`: flagged for upload.
/// 5. `neverAcknowledged`: not flagged, and without anything that came from the server.
/// 6. `uploaded`: the server has it. The object may have changed since without having been analysed.
package enum RecordState: String, Sendable, CaseIterable {
  case pendingCloudDelete, deleteLeftover, orphan, pendingUpload, neverAcknowledged, uploaded

  /// - Parameter objectIsExpected: false where the object doesn't exist and its deletion isn't in history either.
  init(needsUpload: Bool, needsCloudDelete: Bool, isAcknowledged: Bool, objectIsExpected: Bool) {
    if needsCloudDelete {
      self = needsUpload ? .pendingCloudDelete : .deleteLeftover
    } else if !objectIsExpected {
      self = .orphan
    } else if needsUpload {
      self = .pendingUpload
    } else {
      self = isAcknowledged ? .uploaded : .neverAcknowledged
    }
  }
}
