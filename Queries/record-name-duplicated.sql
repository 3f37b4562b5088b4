-- Rule: record-name-duplicated
-- Severity: error
-- Title: One record name for several objects
-- Shows: one row a record whose name another record of its zone has as well.
-- Why: A zone on the server has one record of a name, so these objects overwrite each other there, and an import changes
--   whichever of them is found first. A unique index forbids it: the index is gone, or the store is of a framework
--   that had none.
-- Next launch: Setup may drop one of the rows; its object is then uploaded under a new name, or never again.
-- Remedy: 'storescope repair STORE remove-duplicate-records' keeps the record with proof from the server.
-- Needs: ANSCKRECORDMETADATA
-- False positives: None known. The same name in two zones is no duplicate: an object that moved to a shared zone keeps its
--   name.
-- Evidence: Inferred from the table's unique index, which app authors show; app authors report duplicates in old stores.
-- Message: {count} records share their name with another record of the same zone, the first of them {recordName}.
SELECT r.uri, r.record_name AS recordName, r.zone, r.entity, r.object_pk AS pk, r.acknowledged,
  'row ' || r.pk AS subject
FROM records r
JOIN (
  SELECT record_name, zone_pk FROM records WHERE record_name IS NOT NULL
  GROUP BY record_name, zone_pk HAVING COUNT(*) > 1
) twice ON twice.record_name = r.record_name AND twice.zone_pk IS r.zone_pk
ORDER BY r.record_name, r.zone_pk, r.pk;
