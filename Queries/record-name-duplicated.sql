-- Rule: record-name-duplicated
-- Severity: error
-- Title: One record name for several objects
-- Shows: a record with the same name as another record in its zone.
-- Why: On the server, record names are unique within a zone, so these objects overwrite each other there, and an import
--   changes whichever object is found first. A unique index normally prevents this: the index is missing, or the store
--   was written by a framework without it.
-- Next launch: Setup may remove one of the rows; its object is then uploaded under a new name, or never again.
-- Remedy: 'storescope repair STORE remove-duplicate-records' keeps the record that the server has acknowledged.
-- Needs: ANSCKRECORDMETADATA
-- False positives: None known. The same name in two zones isn't a duplicate: an object that moved to a shared zone
--   keeps its name.
-- Evidence: Inferred from the table's unique index, which app authors show; app authors report duplicates in old stores.
-- Message: {count} {record shares its name|records share their name} with another record in the same zone, such as
--   {recordName}.
SELECT uri, recordName, zone, entity, pk, acknowledged, 'row ' || records.row AS subject
FROM records
-- Not a join: if the index is missing, SQLite would compare each row with every other.
WHERE (recordName, COALESCE(zoneRow, 0)) IN (
  SELECT recordName, COALESCE(zoneRow, 0) FROM records WHERE recordName IS NOT NULL
  GROUP BY recordName, zoneRow HAVING COUNT(*) > 1)
ORDER BY recordName, zoneRow, records.row;
