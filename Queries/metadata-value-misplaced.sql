-- Rule: metadata-value-misplaced
-- Severity: warning
-- Title: Mirror settings stored in the wrong column
-- Shows: an entry of the mirror's key-value table whose value isn't in the column that the framework uses
--   for its key.
-- Why: The framework reads one column per key. It doesn't see a value in any other column: a flag is off, a token is
--   missing, an account is unknown.
-- Next launch: The framework acts as if the entry had no value: without a token it processes all of history, and
--   without the user's record name it treats the account as a different one.
-- Remedy: Find out which tool wrote the entry, and restore a backup from before. 'storescope mirror STORE' lists all entries.
-- Needs: ANSCKMETADATAENTRY
-- False positives: Entries without any value, and keys that no framework is known to write, are left out.
-- Evidence: Read in the code of apps that read these entries: each key uses exactly one column.
-- Message: {count} {setting|settings} of the mirror in the wrong column, such as {key}: {kind} instead of {expected}.
WITH known(key, expected) AS (
  VALUES ('NSCloudKitMirroringDelegateLastHistoryTokenKey', 'archive'),
    ('NSCloudKitMirroringDelegateBypassHistoryOnExportKey', 'bool'),
    ('NSCloudKitMirroringDelegateScanForRowsMissingFromHistoryKey', 'bool'),
    ('NSCloudKitMirroringDelegateCheckedCKIdentityDefaultsKey', 'bool'),
    ('NSCloudKitMirroringDelegateCKIdentityRecordNameDefaultsKey', 'string'),
    ('PFCloudKitMetadataFrameworkVersionKey', 'integer'),
    ('PFCloudKitMetadataModelVersionHashesKey', 'archive'),
    ('PFCloudKitMetadataClientVersionHashesKey', 'archive'),
    ('PFCloudKitMetadataNeedsMetadataMigrationKey', 'bool'),
    ('PFCloudKitMetadataModelMigratorMigrationBeganCommitKey', 'bool')
)
SELECT e.key AS subject, e.key, e.kind, known.expected, e.row AS pk
FROM metadataEntries e JOIN known ON known.key = e.key
WHERE e.kind <> known.expected AND e.kind <> 'none'
ORDER BY e.row;
