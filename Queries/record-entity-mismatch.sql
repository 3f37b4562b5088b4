-- Rule: record-entity-mismatch
-- Severity: warning
-- Title: Records and objects that disagree on the entity
-- Shows: one row per record whose object has a row, under another entity number than the record's.
-- Why: The framework looks the object up by the record's entity and takes it for missing: imports don't reach it, and an
--   upload would delete the record on the server. It comes from rows whose Z_ENT was changed by hand, or from records
--   that name a parent entity instead of the object's own.
-- Next launch: Nothing by itself. With the record flagged for upload ('record-orphan-queued' says so), the next export
--   deletes it on the server.
-- Remedy: Find out which of the two is right: 'storescope show STORE OBJECT' shows the object with its record, and 'trace' what
--   happened to it. Take the store from a backup of before; no offline repair changes entity numbers.
-- Needs: ANSCKRECORDMETADATA
-- False positives: None known.
-- Evidence: Inferred from how app authors report that the framework finds a record's object.
-- Message: {count} {record names an object|records name objects} of another entity: {entity}/p{pk} is {objectEntity}.
SELECT uri, recordName, zone, entity, pk,
  CASE WHEN objectEntityNumber = -1 THEN 'of no entity' ELSE entity_name(objectEntityNumber) END AS objectEntity,
  needsUpload
FROM records
WHERE objectEntityNumber <> entityNumber
ORDER BY records.row;
