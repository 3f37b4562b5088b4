-- Title: Addresses that couldn't be examined
-- Shows: one row per kind of failure and message, most addresses first.
-- Columns: failure, message, addresses, firstAddress, percent (of all addresses that were found)
WITH counts AS (
  SELECT (SELECT COUNT(*) FROM stores) + (SELECT COUNT(*) FROM failures) AS found
)
SELECT f.failure, f.message, COUNT(*) AS addresses, MIN(f.address) AS firstAddress,
  ROUND(CAST(COUNT(*) AS DOUBLE) * 100 / MAX(c.found), 1) AS percent
FROM failures f
CROSS JOIN counts c
GROUP BY f.failure, f.message
ORDER BY addresses DESC, f.failure, f.message NULLS LAST;
