-- Title: Changes per day
-- Shows: one row per day (UTC) and author.
SELECT
  DATE(t.timestamp) AS day,
  t.author,
  COUNT(DISTINCT t."transaction") AS transactions,
  COUNT(c.row) AS changes
FROM transactions t
LEFT JOIN changes c ON c."transaction" = t."transaction"
GROUP BY day, t.author
ORDER BY day, t.author;
