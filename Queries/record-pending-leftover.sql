-- Rule: record-pending-leftover
-- Severity: info
-- Title: Pending export numbers without an export
-- Shows: a record that has the number of a pending export but isn't flagged for upload.
-- Why: The number is set and cleared together with the flag. A number without a flag shows that an export was
--   interrupted, or that somebody cleared flags by hand; in the second case the change never reaches the server.
-- Next launch: Nothing: without the flag the record is ignored.
-- Remedy: If flags were cleared by hand, 'storescope resync STORE --push --entity E' uploads the entity's objects
--   again.
-- Needs: ANSCKRECORDMETADATA
-- False positives: An export that was interrupted between two saves leaves the number although the record arrived.
-- Evidence: Inferred from app authors' reports of what an export sets and clears.
-- Message: {count} {record has|records have} a pending export number but no upload flag.
SELECT uri, recordName, zone, entity, pk, pendingExport,
  lastExported
FROM records
WHERE pendingExport IS NOT NULL AND NOT needsUpload
ORDER BY records.row;
