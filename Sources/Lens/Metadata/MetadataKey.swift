/// Keys of the mirror's metadata entries that mean something to what is read here; app authors report them.
package enum MetadataKey {
  package static let lastHistoryToken = "NSCloudKitMirroringDelegateLastHistoryTokenKey"
  package static let bypassHistory = "NSCloudKitMirroringDelegateBypassHistoryOnExportKey"
  package static let scanForMissingRows = "NSCloudKitMirroringDelegateScanForRowsMissingFromHistoryKey"
  package static let checkedIdentity = "NSCloudKitMirroringDelegateCheckedCKIdentityDefaultsKey"
  package static let identityRecordName = "NSCloudKitMirroringDelegateCKIdentityRecordNameDefaultsKey"
  package static let frameworkVersion = "PFCloudKitMetadataFrameworkVersionKey"
  package static let clientHashes = "PFCloudKitMetadataClientVersionHashesKey"
  package static let needsMigration = "PFCloudKitMetadataNeedsMetadataMigrationKey"

  /// All that the frameworks are known to write, in entries and, long ago or in migrations, in the store's metadata.
  package static let known: Set<String> = [
    lastHistoryToken, bypassHistory, scanForMissingRows, checkedIdentity, identityRecordName,
    frameworkVersion,
    clientHashes, needsMigration, "PFCloudKitMetadataModelVersionHashesKey",
    "PFCloudKitMetadataModelMigratorMigrationBeganCommitKey",
    "PFCloudKitMetadataNeedsZoneFetchAfterClientMigrationKey",
    "NSCloudKitMirroringDelegateInitializedZoneDefaultsKey",
    "NSCloudKitMirroringDelegateInitializedZoneSubscriptionDefaultsKey",
    "NSCloudKitMirroringDelegateInitializedDatabaseSubscriptionKey",
  ]
}
