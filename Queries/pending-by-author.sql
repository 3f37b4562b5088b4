-- Title: Pending changes by author
-- Shows: one row per author of the first transaction that caused them, most first; '(none)' for saves without an author,
--   NULL if no transaction in history shows the cause.
SELECT CASE WHEN "transaction" IS NOT NULL AND since IS NOT NULL THEN COALESCE(author, '(none)') ELSE author END AS author,
  COUNT(*) AS pending, COUNT(DISTINCT "transaction") AS transactions, MIN(since) AS oldest, MAX(since) AS newest
FROM pending
GROUP BY 1
ORDER BY pending DESC, 1;
