-- Title: Setups, imports and exports by day
-- Shows: one row per day (UTC) and kind of run, newest first, with how many failed or never ended.
SELECT SUBSTR(started, 1, 10) AS day, type, COUNT(*) AS runs,
  COUNT(*) FILTER (WHERE ended IS NOT NULL AND NOT succeeded) AS failed,
  COUNT(*) FILTER (WHERE ended IS NULL) AS neverEnded
FROM events
GROUP BY day, type
ORDER BY day DESC, type;
