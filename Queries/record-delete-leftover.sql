-- Rule: record-delete-leftover
-- Severity: info
-- Title: Deleted records whose rows stayed
-- Shows: one row per record that was deleted on the server, and whose row is still there.
-- Why: An export deletes on the server first and removes the rows after that. Rows that stay show that the process ended
--   in between; rows that stay for long, that no export has succeeded since.
-- Next launch: The next export that succeeds removes the rows.
-- Remedy: None needed. Where they stay after exports, 'storescope events STORE' shows why exports end early.
-- Needs: ANSCKRECORDMETADATA
-- False positives: Right after an export that was cut off they are normal.
-- Evidence: App authors report the order of the steps.
-- Message: {count} deleted {record|records} left {its row|their rows} behind.
SELECT uri, recordName, zone, entity, pk, lastExported
FROM records
WHERE needsCloudDelete AND NOT needsUpload
ORDER BY records.row;
