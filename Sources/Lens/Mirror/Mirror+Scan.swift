import Archives
import StoreModel

extension Mirror {
  /// Whether the next export looks for rows without a record. An ordinary one doesn't: app authors report that it
  /// does so without a history token, after a reset, and where a metadata entry asks for it, and never in a
  /// shared database, whose objects must come with a share.
  package var nextExportScans: Bool {
    get throws {
      guard try scope != .shared else { return false }
      return try token.state == .missing || isSet(MetadataKey.bypassHistory)
        || isSet(MetadataKey.scanForMissingRows)
    }
  }

  /// Whether the store was migrated since the last setup: the next one has all zones fetched from the beginning.
  package var setupFetchesZonesAgain: Bool {
    let value = store.metadata.entries[MetadataKey.needsZoneFetch]
    return value?.bool ?? (value?.integer == 1)
  }
}
