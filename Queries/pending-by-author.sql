-- Title: Pending changes by author
-- Shows: one row per author of the transactions that caused them, most first; NULL if history no longer has the
--   transaction.
SELECT author, COUNT(*) AS pending, COUNT(DISTINCT "transaction") AS transactions, MIN(since) AS oldest, MAX(since) AS newest
FROM pending
GROUP BY author
ORDER BY pending DESC, author;
