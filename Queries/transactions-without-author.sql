-- Title: Saves whose author nobody knows
-- Shows: one row a bundle and process, with the number of its transactions that name no author.
SELECT bundle, process, COUNT(*) AS transactions, MIN(timestamp) AS first, MAX(timestamp) AS last
FROM transactions
WHERE author IS NULL
GROUP BY bundle, process
ORDER BY transactions DESC, bundle, process;
