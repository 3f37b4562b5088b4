-- Rule: record-object-duplicated
-- Severity: error
-- Title: Several records for one object
-- Shows: one row a record whose object another record names as well.
-- Why: The object has two records on the server, or will have. A device that fetches both makes two objects of them, and
--   what changes here goes out under one of the names only. A unique index forbids it: the index is gone, or the store is
--   of a framework that had none.
-- Next launch: Setup may drop one of the rows. The record on the server that loses its row comes back as a second object
--   with the next full import.
-- Remedy: 'storescope repair STORE remove-duplicate-records' keeps the record with proof from the server.
-- Needs: ANSCKRECORDMETADATA
-- False positives: None known.
-- Evidence: Inferred from the table's unique index, which app authors show; app authors report that a migration stops at it.
-- Message: {count} records name an object that another record names as well, the first of them {entity} {pk}.
SELECT r.uri, r.record_name AS recordName, r.zone, r.entity, r.object_pk AS pk, r.acknowledged
FROM records r
JOIN (
  SELECT entity_number, object_pk FROM records WHERE entity_number IS NOT NULL AND object_pk IS NOT NULL
  GROUP BY entity_number, object_pk HAVING COUNT(*) > 1
) twice ON twice.entity_number = r.entity_number AND twice.object_pk = r.object_pk
ORDER BY r.entity_number, r.object_pk, r.pk;
