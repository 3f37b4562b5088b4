-- Rule: record-transaction-ahead
-- Severity: warning
-- Title: Export numbers ahead of history
-- Shows: a record whose last or pending export number is above every transaction number that history ever
--   had.
-- Why: Local changes made after a record's last export win over imported changes. A number that no transaction has
--   reached makes new local changes look exported, so an import may overwrite them. The cause is a store whose history
--   was replaced, or two stores mixed into one.
-- Next launch: Nothing visible. Until history reaches the number, imports may overwrite local changes.
-- Remedy: If the store was assembled from two copies, go back to one of them. Otherwise 'storescope resync STORE
--   --rescan' makes the exporter process all of history again; each record that it exports gets a new number.
-- Needs: ANSCKRECORDMETADATA, history
-- False positives: Pruned history isn't reported: records are compared with the highest transaction number ever
--   assigned.
-- Evidence: Inferred from app authors' reports of how imports treat local changes.
-- Message: {count} {record was|records were} exported after transaction {newest}, the newest transaction there ever
--   was.
SELECT uri, recordName, zone, entity, pk, lastExported,
  pendingExport, newest
FROM records, (
  SELECT MAX(
    COALESCE((SELECT MAX("transaction") FROM transactions), 0),
    COALESCE((SELECT MAX(highestKey) FROM entities WHERE name = 'TRANSACTION' AND number >= 16000), 0)) AS newest)
WHERE lastExported > newest OR pendingExport > newest
ORDER BY records.row;
