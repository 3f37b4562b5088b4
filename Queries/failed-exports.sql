-- Title: Failed exports
-- Shows: one row per failed export with its error, newest first.
-- Param since (date): only exports that started at this time or later, default 0001-01-01
SELECT started, errorDomain, errorCode, errorName, affected, finished, explanation
FROM events
WHERE type = 'export' AND ended IS NOT NULL AND NOT succeeded AND started >= :since
ORDER BY row DESC;
