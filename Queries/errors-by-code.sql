-- Title: Sync errors, counted
-- Shows: one row per kind of run and error, with how often and when, most frequent first.
SELECT type, errorDomain, errorCode, errorName, COUNT(*) AS failures, MIN(started) AS first, MAX(started) AS last,
  explanation
FROM events
WHERE ended IS NOT NULL AND NOT succeeded
GROUP BY type, errorDomain, errorCode
ORDER BY failures DESC, type, errorDomain, errorCode;
