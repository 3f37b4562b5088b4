-- Title: Objects that change again and again
-- Shows: one row per object, with the number of its updates, most first.
-- Param least (number): minimum number of updates, default 10
SELECT c.entity, c.uri, COUNT(*) AS updates, MIN(t.timestamp) AS first, MAX(t.timestamp) AS last
FROM changes c
LEFT JOIN transactions t ON t."transaction" = c."transaction"
WHERE c.change = 'update'
GROUP BY c.uri
HAVING COUNT(*) >= CAST(:least AS INTEGER)
ORDER BY updates DESC, c.uri;
