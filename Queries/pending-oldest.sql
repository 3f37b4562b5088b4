-- Title: The oldest pending changes
-- Shows: one row per pending change, oldest first; those without a date come last.
-- Param top (number): how many, default 20
SELECT since, kind, entity, uri, recordName, author, reason
FROM pending
ORDER BY since IS NULL, since, kind, entity, pk
LIMIT :top;
