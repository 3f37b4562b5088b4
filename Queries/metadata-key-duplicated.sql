-- Rule: metadata-key-duplicated
-- Severity: warning
-- Title: Duplicate metadata keys
-- Shows: a key of the mirror's metadata entries that occurs in more than one row.
-- Why: The table doesn't enforce unique keys, and the framework uses whichever row it fetches last. With two tokens, or
--   two names of the iCloud user, each launch may upload something different, or wipe the data.
-- Next launch: The framework uses one of the rows, most likely the newest, and writes only to that row from then on.
-- Remedy: Compare the rows with 'storescope mirror STORE --table ANSCKMETADATAENTRY'. If they are equal, they are
--   harmless; if they differ, restore a backup with 'storescope restore BACKUP', and look for code that writes to the
--   tables.
-- Needs: ANSCKMETADATAENTRY
-- False positives: None known: a healthy store has each key once. Rows with the same value are harmless.
-- Evidence: Inferred from the table, which has no unique index; app authors report it after manual edits.
-- Message: {count} metadata {key occurs|keys occur} more than once, such as {key}, {rows} {rows:time|times}.
SELECT key AS subject, key, COUNT(*) AS rows, MIN(metadataEntries.row) AS oldestPk, MAX(metadataEntries.row) AS newestPk
FROM metadataEntries
WHERE key IS NOT NULL
GROUP BY key
HAVING COUNT(*) > 1
ORDER BY key;
