-- Rule: record-transaction-ahead
-- Severity: warning
-- Title: Records exported in the future
-- Shows: one row per record whose last or pending export has a number above every transaction that history ever had.
-- Why: What was changed here after a record's last export wins over what an import brings. A number that no transaction
--   has reached makes new local changes look exported, so an import may overwrite them. It comes from a store whose
--   history was replaced, or from two stores mixed into one.
-- Next launch: Nothing visible. Local changes made until history reaches the number may lose against imports.
-- Remedy: Where the store was put together from two copies, go back to one of them. Otherwise 'storescope resync STORE
--   --rescan' lets the exporter look at all of history again; each record that it exports gets a new number.
-- Needs: ANSCKRECORDMETADATA, history
-- False positives: History that was pruned doesn't count: transactions are compared with the highest number ever given.
-- Evidence: Inferred from how app authors report that imports treat local changes.
-- Message: {count} {record was|records were} exported after transaction {newest}, the newest there ever was.
SELECT uri, recordName, zone, entity, pk, lastExported,
  pendingExport, newest
FROM records, (
  SELECT MAX(
    COALESCE((SELECT MAX("transaction") FROM transactions), 0),
    COALESCE((SELECT MAX(highestKey) FROM entities WHERE name = 'TRANSACTION' AND number >= 16000), 0)) AS newest)
WHERE lastExported > newest OR pendingExport > newest
ORDER BY records.row;
