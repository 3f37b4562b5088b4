-- Rule: record-orphan-queued
-- Severity: error
-- Title: Uploads of objects that don't exist
-- Shows: one row per record that is flagged for upload, not for deletion, while the store has no such object.
-- Why: The framework looks for the object to make the record from, doesn't find it, and deletes the record on the server
--   instead. Every other device then deletes its copy of the object, which may be the last one.
-- Next launch: The next export deletes the record on the server, and imports on other devices delete their objects.
-- Remedy: Before the app runs again, bring the row back from a backup, or run 'storescope repair STORE
--   remove-orphan-records --cloud keep', which drops the record's row and so its flag; with '--cloud delete' where the
--   object shall be gone everywhere.
-- Needs: ANSCKRECORDMETADATA
-- False positives: Objects whose deletion waits in history that is not yet analysed, or was analysed by an export that
--   ended early, are left out: there the app deleted the object, and the record shall go. Records of an unknown entity
--   are left out too ('record-entity-unknown'), and those of an entity whose table is missing.
-- Evidence: App authors report it; what an upload does is inferred from their reports.
-- Message: {count} {record is|records are} flagged for upload without an object: the next export deletes
--   {it|them} on the server.
SELECT uri, recordName, zone, entity, pk, entity_name(NULLIF(objectEntityNumber, -1)) AS objectEntity,
  lastExported, pendingExport
FROM records
WHERE needsUpload AND state = 'orphan' AND tableExists
  AND entityNumber IN (SELECT number FROM entities WHERE number < 16000)
ORDER BY records.row;
