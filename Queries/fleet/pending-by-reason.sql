-- Title: What is pending, by reason
-- Shows: one row per kind of pending change, entity and reason, most changes first.
-- Columns: kind, entity, reason, stores, changes, oldest, newest
SELECT kind, entity, reason, COUNT(DISTINCT address) AS stores, SUM(count) AS changes, MIN(oldest) AS oldest,
  MAX(newest) AS newest
FROM pending
GROUP BY kind, entity, reason
ORDER BY changes DESC, kind, entity NULLS LAST, reason NULLS LAST;
