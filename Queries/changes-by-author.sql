-- Title: Changes per author
-- Shows: one row per author, busiest first: transactions, inserts, updates, deletes, first and last.
-- Param since (date): only transactions since this time, default 0001-01-01
SELECT
  t.author,
  COUNT(DISTINCT t."transaction") AS transactions,
  COUNT(*) FILTER (WHERE c.change = 'insert') AS inserts,
  COUNT(*) FILTER (WHERE c.change = 'update') AS updates,
  COUNT(*) FILTER (WHERE c.change = 'delete') AS deletes,
  MIN(t.timestamp) AS first,
  MAX(t.timestamp) AS last
FROM transactions t
LEFT JOIN changes c ON c."transaction" = t."transaction"
WHERE t.timestamp >= :since
GROUP BY t.author
ORDER BY transactions DESC, t.author;
