-- Title: Saves without an author
-- Shows: one row per bundle and process, with the number of its transactions without an author.
SELECT bundle, process, COUNT(*) AS transactions, MIN(timestamp) AS first, MAX(timestamp) AS last
FROM transactions
WHERE author IS NULL
GROUP BY bundle, process
ORDER BY transactions DESC, bundle, process;
