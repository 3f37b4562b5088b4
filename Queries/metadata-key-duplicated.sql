-- Rule: metadata-key-duplicated
-- Severity: warning
-- Title: Metadata keys that are there twice
-- Shows: one row per key of the mirror's own entries that more than one row has.
-- Why: Nothing keeps the keys unique, and the framework takes whichever row it fetches last. Two tokens, or two names
--   of the iCloud user, may decide differently at each launch what is sent and whether the data is wiped.
-- Next launch: The framework takes one of the rows, most likely the newest, and writes only that one from then on.
-- Remedy: Compare the rows with 'storescope mirror STORE --table ANSCKMETADATAENTRY'. Where they are alike it does no harm;
--   where they differ, go back to a backup with 'storescope restore BACKUP', and look for code that writes to the tables.
-- Needs: ANSCKMETADATAENTRY
-- False positives: None known: a healthy store has each key once. Rows with the same value do no harm.
-- Evidence: Inferred from the table, which has no unique index; app authors report it after edits by hand.
-- Message: {count} metadata {key occurs|keys occur} more than once, such as {key}, {rows} {rows:time|times}.
SELECT key AS subject, key, COUNT(*) AS rows, MIN(metadataEntries.row) AS oldestPk, MAX(metadataEntries.row) AS newestPk
FROM metadataEntries
WHERE key IS NOT NULL
GROUP BY key
HAVING COUNT(*) > 1
ORDER BY key;
