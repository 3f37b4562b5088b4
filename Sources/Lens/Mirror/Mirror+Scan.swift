extension Mirror {
  /// Whether the next export looks for rows without a record. An ordinary one doesn't: app authors report that it
  /// does so without a last-history token, after a reset, and where a metadata entry asks for it, and never in a
  /// shared database, whose objects must come with a share.
  package var nextExportScans: Bool {
    get throws {
      guard try scope != .shared else { return false }
      return try token.state == .missing || isSet(MetadataKey.bypassHistory)
        || isSet(MetadataKey.scanForMissingRows)
    }
  }
}
