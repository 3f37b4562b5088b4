-- Title: Sync errors by code
-- Shows: one row per type of run and error, with the number of failures and their first and last time, most frequent
--   first.
SELECT type, errorDomain, errorCode, errorName, COUNT(*) AS failures, MIN(started) AS first, MAX(started) AS last,
  explanation
FROM events
WHERE ended IS NOT NULL AND NOT succeeded
GROUP BY type, errorDomain, errorCode
ORDER BY failures DESC, type, errorDomain, errorCode;
