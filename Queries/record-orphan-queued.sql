-- Rule: record-orphan-queued
-- Severity: error
-- Title: Uploads of objects that don't exist
-- Shows: a record that is flagged for upload, not for deletion, but whose object isn't in the store.
-- Why: The framework looks for the object to create the record from, doesn't find it, and deletes the record on the
--   server instead. Every other device then deletes its copy of the object, which may be the last one.
-- Next launch: The next export deletes the record on the server, and imports on other devices delete their objects.
-- Remedy: Before the app runs again, restore the row from a backup, or run 'storescope repair STORE
--   remove-orphan-records --cloud keep', which removes the record's row and with it the flag; use '--cloud delete' to
--   delete the object everywhere.
-- Needs: ANSCKRECORDMETADATA
-- False positives: Objects whose deletion is in history that isn't processed yet, or was processed by an export that
--   ended early, are left out: in that case the app deleted the object, and the record must be deleted too. Records of
--   an unknown entity ('record-entity-unknown') and of an entity whose table is missing are also left out.
-- Evidence: App authors report it; the effect of an upload is inferred from their reports.
-- Message: {count} {record is|records are} flagged for upload without an object: the next export deletes
--   {it|them} on the server.
SELECT uri, recordName, zone, entity, pk, entity_name(NULLIF(objectEntityNumber, -1)) AS objectEntity,
  lastExported, pendingExport
FROM records
WHERE needsUpload AND state = 'orphan' AND tableExists
  AND entityNumber IN (SELECT number FROM entities WHERE number < 16000)
ORDER BY records.row;
