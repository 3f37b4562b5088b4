-- Title: Largest entities
-- Shows: one row per app and entity, most bytes first.
-- Columns: app, entity, stores, allRows, allBytes, meanBytes (per store), mostRows and mostBytes (in one store)
SELECT s.app, e.entity, COUNT(*) AS stores, SUM(e.rows) AS allRows, SUM(e.bytes) AS allBytes,
  ROUND(CAST(SUM(e.bytes) AS DOUBLE) / COUNT(*), 0) AS meanBytes, MAX(e.rows) AS mostRows, MAX(e.bytes) AS mostBytes
FROM entities e
JOIN stores s ON s.address = e.address
GROUP BY s.app, e.entity
ORDER BY allBytes DESC NULLS LAST, s.app NULLS LAST, e.entity;
