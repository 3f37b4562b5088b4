-- Title: Pending changes by author
-- Shows: one row per author of the transactions since which they are pending, most first; '(none)' if such a
--   transaction has none, NULL if no transaction in history shows the cause.
SELECT IIF("transaction" IS NULL, NULL, COALESCE(author, '(none)')) AS author, COUNT(*) AS pending,
  COUNT(DISTINCT "transaction") AS transactions, MIN(since) AS oldest, MAX(since) AS newest
FROM pending
GROUP BY 1
ORDER BY pending DESC, 1;
