-- Rule: metadata-control-left
-- Severity: info
-- Title: Control flags for the mirror's next run
-- Shows: a flag that is set in the mirror's metadata entries: to process all of history, to scan for rows
--   without records, or to migrate the mirror's tables.
-- Why: The run that acts on a flag clears it. A flag that stays set means that this run never finished.
-- Next launch: The action in the column 'means'.
-- Remedy: Check with 'storescope events STORE' that exports succeed afterward; if they do, ignore it.
-- Needs: ANSCKMETADATAENTRY
-- False positives: Flags are set in healthy stores between two runs, after 'storescope resync STORE --rescan' and after
--   'storescope repair STORE register-missing'. The flag that a migration began can stay set in healthy stores, and is
--   harmless on its own.
-- Evidence: App authors report it.
-- Message: {count} control {flag is|flags are} set for the mirror's next run: {means}.
WITH marks(key, means) AS (
  VALUES
    ('NSCloudKitMirroringDelegateBypassHistoryOnExportKey',
      'the next export also looks at what imports and resets wrote'),
    ('NSCloudKitMirroringDelegateScanForRowsMissingFromHistoryKey', 'the next export looks for rows without a record'),
    ('PFCloudKitMetadataNeedsMetadataMigrationKey', 'the next setup migrates the mirror''s tables first'),
    ('PFCloudKitMetadataModelMigratorMigrationBeganCommitKey',
      'a migration of the mirror''s tables was begun, which means nothing alone')
)
SELECT m.key AS subject, m.key, m.means, e.row AS pk
FROM marks m
-- Of a key that is there twice the newest row counts.
CROSS JOIN metadataEntries e WHERE e.row = (SELECT MAX(n.row) FROM metadataEntries n WHERE n.key = m.key)
  AND e.kind IN ('bool', 'integer') AND e.value <> 0
ORDER BY m.key;
