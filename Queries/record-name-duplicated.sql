-- Rule: record-name-duplicated
-- Severity: error
-- Title: One record name for several objects
-- Shows: one row per record whose name another record of its zone has as well.
-- Why: A zone on the server has one record of a name, so these objects overwrite each other there, and an import changes
--   whichever of them is found first. A unique index forbids it: the index is gone, or the store is of a framework
--   that had none.
-- Next launch: Setup may drop one of the rows; its object is then uploaded under a new name, or never again.
-- Remedy: 'storescope repair STORE remove-duplicate-records' keeps the record with proof from the server.
-- Needs: ANSCKRECORDMETADATA
-- False positives: None known. The same name in two zones is no duplicate: an object that moved to a shared zone keeps its
--   name.
-- Evidence: Inferred from the table's unique index, which app authors show; app authors report duplicates in old stores.
-- Message: {count} {record shares its name|records share their name} with another record of the same zone, such as
--   {recordName}.
SELECT uri, recordName, zone, entity, pk, acknowledged, 'row ' || records.row AS subject
FROM records
-- Not a join: where the index is missing, SQLite would compare each with each.
WHERE (recordName, COALESCE(zoneRow, 0)) IN (
  SELECT recordName, COALESCE(zoneRow, 0) FROM records WHERE recordName IS NOT NULL
  GROUP BY recordName, zoneRow HAVING COUNT(*) > 1)
ORDER BY recordName, zoneRow, records.row;
