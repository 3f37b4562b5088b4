-- Title: Setups, imports and exports by day
-- Shows: one row per day (UTC) and type of run, newest first, with the number of runs that failed or never finished.
SELECT SUBSTR(started, 1, 10) AS day, type, COUNT(*) AS runs,
  COUNT(*) FILTER (WHERE ended IS NOT NULL AND NOT succeeded) AS failed,
  COUNT(*) FILTER (WHERE ended IS NULL) AS neverEnded
FROM events
GROUP BY day, type
ORDER BY day DESC, type;
