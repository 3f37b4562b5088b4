-- Rule: record-orphaned
-- Severity: warning
-- Title: Orphaned records
-- Shows: a record whose object doesn't exist, without a queued upload or deletion.
-- Why: The mirror assumes that the object still exists. If the record is ever flagged for upload, the framework finds
--   no object and deletes the record on the server instead, for every device.
-- Next launch: Nothing, as long as the record isn't flagged for upload. A full re-import brings the object back.
-- Remedy: Decide whether to keep the record in the cloud: 'storescope repair STORE remove-orphan-records --cloud keep',
--   or '--cloud delete'. Leaving it is safe: no export touches it, and 'storescope resync STORE --push' leaves it out.
-- Needs: ANSCKRECORDMETADATA
-- False positives: Objects whose deletion is in history that isn't processed yet, or was processed by an export that
--   ended early, are left out. So are records of an unknown entity, and records whose object exists under another
--   entity: 'record-entity-unknown' and 'record-entity-mismatch' report them. If an entity's table is missing, its
--   records aren't checked.
-- Evidence: App authors report it; the effect of an upload is inferred from their reports.
-- Message: {count} {record refers to an object|records refer to objects} that no longer {exists|exist}.
SELECT uri, recordName, zone, entity, pk, lastExported
FROM records
WHERE NOT needsUpload AND state = 'orphan' AND tableExists AND objectEntityNumber IS NULL
  AND entityNumber IN (SELECT number FROM entities WHERE number < 16000)
ORDER BY records.row;
