-- Title: CloudKit records by entity and state
-- Shows: one row per entity and state ('explain STATE' explains a state), with the number of records.
SELECT entity, state, COUNT(*) AS records, SUM(acknowledged) AS acknowledged, MAX(lastExported) AS lastExported
FROM records
GROUP BY entity, state
ORDER BY entity IS NULL, entity, records DESC, state;
