-- Rule: record-entity-mismatch
-- Severity: warning
-- Title: Records with a different entity than their object
-- Shows: a record whose object exists under a different entity number than the record's.
-- Why: The framework looks the object up by the record's entity and treats it as missing: imports don't update it, and
--   an upload would delete the record on the server. The cause is a row whose Z_ENT was changed by hand, or a record
--   with a parent entity instead of the object's entity.
-- Next launch: No immediate effect. If the record is flagged for upload ('record-orphan-queued' reports that), the next
--   export deletes it on the server.
-- Remedy: Find out which entity is right: 'storescope show STORE OBJECT' shows the object with its record, and 'trace'
--   shows its history. Restore a backup from before the change; no repair changes entity numbers.
-- Needs: ANSCKRECORDMETADATA
-- False positives: None known.
-- Evidence: Inferred from app authors' reports of how the framework finds a record's object.
-- Message: {count} {record refers to an object|records refer to objects} of another entity: {entity}/p{pk} is
--   {objectEntity}.
SELECT uri, recordName, zone, entity, pk,
  CASE WHEN objectEntityNumber = -1 THEN 'of no entity' ELSE entity_name(objectEntityNumber) END AS objectEntity,
  needsUpload
FROM records
WHERE objectEntityNumber <> entityNumber
ORDER BY records.row;
