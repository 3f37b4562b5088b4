-- Rule: record-object-duplicated
-- Severity: error
-- Title: Several records for one object
-- Shows: one row per record whose object another record names as well.
-- Why: The object has two records on the server, or will have. A device that fetches both makes two objects of them, and
--   what changes here goes out under one of the names only. A unique index forbids it: the index is gone, or the store is
--   of a framework that had none.
-- Next launch: Setup may drop one of the rows. The record on the server that loses its row comes back as a second object
--   with the next full import.
-- Remedy: 'storescope repair STORE remove-duplicate-records' keeps the record with proof from the server.
-- Needs: ANSCKRECORDMETADATA
-- False positives: None known.
-- Evidence: Inferred from the table's unique index, which app authors show; app authors report that a migration stops at it.
-- Message: {count} {record names an object that another record names too|records name an object that another record names
--   too}, such as {entity}/p{pk}.
SELECT uri, recordName, zone, entity, pk, acknowledged
FROM records
-- Not a join: where the index is missing, SQLite would compare each with each.
WHERE (entityNumber, pk) IN (
  SELECT entityNumber, pk FROM records WHERE entityNumber IS NOT NULL AND pk IS NOT NULL
  GROUP BY entityNumber, pk HAVING COUNT(*) > 1)
ORDER BY entityNumber, pk, records.row;
