-- Title: How long changes have been pending
-- Shows: one row per app and state of sync, over its stores with pending changes: how many hours lie between a store's
--   oldest pending change and its newest timestamp.
-- Columns: app, verdict, stores, pending (changes), hours50, hours90, hours99 (percentiles), hoursMax, daysMax
WITH ages AS (
  SELECT app, verdict, pending,
    CAST(GREATEST(
      0,
      EXTRACT(DAY FROM (lastChange - pendingOldest)) * 24 + EXTRACT(HOUR FROM (lastChange - pendingOldest))
    ) AS BIGINT) AS hours
  FROM stores
  WHERE pending > 0 AND pendingOldest IS NOT NULL AND lastChange IS NOT NULL
)
SELECT app, verdict, COUNT(*) AS stores, SUM(pending) AS pending,
  CAST(PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY hours) AS BIGINT) AS hours50,
  CAST(PERCENTILE_DISC(0.9) WITHIN GROUP (ORDER BY hours) AS BIGINT) AS hours90,
  CAST(PERCENTILE_DISC(0.99) WITHIN GROUP (ORDER BY hours) AS BIGINT) AS hours99,
  MAX(hours) AS hoursMax, ROUND(MAX(hours) / CAST(24 AS DOUBLE), 1) AS daysMax
FROM ages
GROUP BY app, verdict
ORDER BY stores DESC, app NULLS LAST, verdict NULLS LAST;
