-- Rule: record-without-zone
-- Severity: warning
-- Title: Records without a zone
-- Shows: a record that has no zone, or whose zone has no row.
-- Why: The store doesn't record where the record is on the server. Exports can't upload it, and imports can't match it.
-- Next launch: In a store of the private database, setup moves the record to the default zone; if it was in another
--   zone, the object is uploaded a second time. In other stores it stays as it is.
-- Remedy: If the zone's row was lost, restore the store from a backup. Otherwise let setup run, then compare with
--   'storescope resync STORE --pull', which fetches every zone again.
-- Needs: ANSCKRECORDMETADATA, ANSCKRECORDZONEMETADATA
-- False positives: None known.
-- Evidence: Inferred from app authors' reports of the repairs that setup makes.
-- Message: {count} {record isn't|records aren't} in any known zone.
SELECT CASE WHEN entityNumber IN (SELECT number FROM entities WHERE number < 16000) THEN uri END AS uri,
  recordName, zoneRow AS zoneKey, entity, pk, acknowledged,
  lastExported, COALESCE(recordName, 'row ' || records.row) AS subject
FROM records
WHERE zoneExists = 0
ORDER BY records.row;
