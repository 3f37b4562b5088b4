-- Rule: record-without-zone
-- Severity: warning
-- Title: Records outside of every zone
-- Shows: one row per record that names no zone, or one whose row doesn't exist.
-- Why: Nobody can say where the record lies on the server. Exports can't send it, and an import can't match it.
-- Next launch: In a store of the private database, setup puts the record into the default zone; if it lay in another one,
--   the object is uploaded there a second time. In other stores it stays as it is.
-- Remedy: Where the zone's row was lost, bring the store back from a backup. Otherwise let setup run, then compare with
--   'storescope resync STORE --pull', which fetches every zone again.
-- Needs: ANSCKRECORDMETADATA, ANSCKRECORDZONEMETADATA
-- False positives: None known.
-- Evidence: Inferred from app authors' reports of what setup repairs.
-- Message: {count} {record is|records are} in no zone that the store knows.
SELECT CASE WHEN entityNumber IN (SELECT number FROM entities WHERE number < 16000) THEN uri END AS uri,
  recordName, zoneRow AS zoneKey, entity, pk, acknowledged,
  lastExported, COALESCE(recordName, 'row ' || records.row) AS subject
FROM records
WHERE zoneExists = 0
ORDER BY records.row;
