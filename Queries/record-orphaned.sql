-- Rule: record-orphaned
-- Severity: warning
-- Title: Records whose object is gone
-- Shows: one row per record that names an object which doesn't exist, with nothing queued that would delete it.
-- Why: The mirror believes that the object is still there. Any later request to upload the record makes the framework
--   find no object and delete the record on the server instead, for every device.
-- Next launch: Nothing, as long as nothing flags the record for upload. A full re-import brings the object back.
-- Remedy: Decide whether the record shall stay in the cloud: 'storescope repair STORE remove-orphan-records --cloud keep',
--   or '--cloud delete'. Leaving it is safe as long as nobody resyncs with '--push'.
-- Needs: ANSCKRECORDMETADATA
-- False positives: Objects whose deletion waits in history that is not yet analysed, or was analysed by an export that
--   ended early, are left out. So are records of an unknown entity, and those whose object exists as another entity's:
--   'record-entity-unknown' and 'record-entity-mismatch' name them. Where an entity's table
--   is missing altogether, nothing is said of its records.
-- Evidence: App authors report it; what an upload does is inferred from their reports.
-- Message: {count} {record names an object|records name objects} that no longer {exists|exist}.
SELECT uri, recordName, zone, entity, pk, lastExported
FROM records
WHERE NOT needsUpload AND state = 'orphan' AND tableExists AND objectEntityNumber IS NULL
  AND entityNumber IN (SELECT number FROM entities WHERE number < 16000)
ORDER BY records.row;
