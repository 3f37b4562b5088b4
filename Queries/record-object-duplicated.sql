-- Rule: record-object-duplicated
-- Severity: error
-- Title: Several records for one object
-- Shows: a record whose object also has another record.
-- Why: The object has two records on the server, or will have. A device that fetches both creates two objects, and
--   changes made here are uploaded under only one of the names. A unique index normally prevents this: the index is
--   missing, or the store was written by a framework without it.
-- Next launch: Setup may remove one of the rows. Its record on the server comes back as a second object with the next
--   full import.
-- Remedy: 'storescope repair STORE remove-duplicate-records' keeps the record that the server has acknowledged.
-- Needs: ANSCKRECORDMETADATA
-- False positives: None known.
-- Evidence: Inferred from the table's unique index, which app authors show; app authors report that it stops
--   migrations.
-- Message: {count} {record refers|records refer} to an object that also has another record, such as {entity}/p{pk}.
SELECT uri, recordName, zone, entity, pk, acknowledged
FROM records
-- Not a join: if the index is missing, SQLite would compare each row with every other.
WHERE (entityNumber, pk) IN (
  SELECT entityNumber, pk FROM records WHERE entityNumber IS NOT NULL AND pk IS NOT NULL
  GROUP BY entityNumber, pk HAVING COUNT(*) > 1)
ORDER BY entityNumber, pk, records.row;
