-- Rule: record-never-acknowledged
-- Severity: info
-- Title: Exported records without the server's copy
-- Shows: a record that was exported and isn't flagged for upload, but of which the store has no copy from the
--   server.
-- Why: After each export the mirror keeps the record as the server has it. Without that copy there is no proof that the
--   record arrived, and the next upload doesn't include the server's version, which can cause a conflict.
-- Next launch: Nothing. When the object changes, the record is uploaded without a version, and the server may reject it
--   at first.
-- Remedy: 'storescope resync STORE --pull' makes the next launch fetch every zone again, which restores the copies.
-- Needs: ANSCKRECORDMETADATA
-- False positives: Records that are flagged for upload are left out: they get their copy with the next export, for
--   example after a move to a shared zone. After the private zone was deleted on the server, the framework drops all
--   copies itself.
-- Evidence: App authors report that every uploaded record has a copy; the conflict is inferred.
-- Message: {count} exported {record lacks|records lack} the server's copy.
SELECT uri, recordName, zone, entity, pk, lastExported
FROM records
WHERE NOT acknowledged AND NOT needsUpload AND lastExported > 0
ORDER BY records.row;
