-- Title: Pending changes by entity
-- Shows: one row per entity and kind of pending change, with the number and the oldest, most first.
SELECT entity, kind, COUNT(*) AS pending, MIN(since) AS oldest
FROM pending
GROUP BY entity, kind
ORDER BY pending DESC, entity, kind;
