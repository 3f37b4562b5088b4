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
/// 6. `uploaded`: the server has it. The object may have changed since without having been analysed.
package enum RecordState: String, Sendable, CaseIterable {
  case pendingCloudDelete, deleteLeftover, orphan, pendingUpload, neverAcknowledged, uploaded
}
