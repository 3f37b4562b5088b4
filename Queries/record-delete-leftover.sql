-- Rule: record-delete-leftover
-- Severity: info
-- Title: Leftover rows of deleted records
-- Shows: a record that was deleted on the server but whose row is still there.
-- Why: An export first deletes the records on the server, then removes their rows. Leftover rows show that the process
--   ended in between; if they stay for long, no export has succeeded since.
-- Next launch: The next successful export removes the rows.
-- Remedy: Wait for the next export. If they stay after exports, 'storescope events STORE' shows why exports end early.
-- Needs: ANSCKRECORDMETADATA
-- False positives: They are normal right after an interrupted export.
-- Evidence: App authors report the order of these steps.
-- Message: {count} deleted {record|records} left {its row|their rows} behind.
SELECT uri, recordName, zone, entity, pk, lastExported
FROM records
WHERE needsCloudDelete AND NOT needsUpload
ORDER BY records.row;
