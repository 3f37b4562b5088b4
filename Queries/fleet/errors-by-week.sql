-- Title: Sync errors over time
-- Shows: one row per week (its Monday, UTC), type of run and error, oldest week first. Runs without a time come last.
-- Columns: week, type, errorDomain, errorCode, errorName, failures, stores, runs (all of that week and type that ended),
--   percent (failures of runs)
WITH runs AS (
  SELECT CAST(DATE_TRUNC('week', COALESCE(started, ended)) AS DATE) AS week, type, COUNT(*) AS runs
  FROM events
  WHERE succeeded IS NOT NULL
  GROUP BY CAST(DATE_TRUNC('week', COALESCE(started, ended)) AS DATE), type
),
failed AS (
  SELECT CAST(DATE_TRUNC('week', COALESCE(started, ended)) AS DATE) AS week, type, errorDomain, errorCode, errorName,
    COUNT(*) AS failures, COUNT(DISTINCT address) AS stores
  FROM events
  WHERE NOT succeeded
  GROUP BY CAST(DATE_TRUNC('week', COALESCE(started, ended)) AS DATE), type, errorDomain, errorCode, errorName
)
SELECT f.week, f.type, f.errorDomain, f.errorCode, f.errorName, f.failures, f.stores, r.runs,
  ROUND(CAST(f.failures AS DOUBLE) * 100 / r.runs, 1) AS percent
FROM failed f
LEFT JOIN runs r ON r.week IS NOT DISTINCT FROM f.week AND r.type IS NOT DISTINCT FROM f.type
ORDER BY f.week NULLS LAST, f.failures DESC, f.type NULLS LAST, f.errorDomain NULLS LAST, f.errorCode NULLS LAST,
  f.errorName NULLS LAST;
