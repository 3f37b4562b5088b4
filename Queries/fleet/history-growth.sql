-- Title: History growth by day
-- Shows: one row per day (UTC) with transactions that the stores still keep, oldest first.
-- Columns: day, stores (that saved on that day), transactions, changes, allChanges (up to and including that day)
WITH daily AS (
  SELECT day, COUNT(DISTINCT address) AS stores, SUM(transactions) AS transactions, SUM(changes) AS changes
  FROM days
  GROUP BY day
)
SELECT day, stores, transactions, changes,
  SUM(changes) OVER (ORDER BY day ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS allChanges
FROM daily
ORDER BY day;
