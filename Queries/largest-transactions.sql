-- Title: The largest transactions
-- Shows: one row per transaction, with its number of changes, largest first.
-- Param top (number): how many, default 20
SELECT t."transaction", t.timestamp, t.author, t.process, COUNT(c.row) AS changes
FROM transactions t
JOIN changes c ON c."transaction" = t."transaction"
GROUP BY t."transaction"
ORDER BY changes DESC, t."transaction"
LIMIT CAST(:top AS INTEGER);
