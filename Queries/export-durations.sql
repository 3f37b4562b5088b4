-- Title: Export durations
-- Shows: one row per finished export, slowest first.
-- Param top (number): how many, default 20
SELECT started, ROUND(core_data_date(ended) - core_data_date(started), 1) AS seconds, succeeded, affected, finished
FROM events
WHERE type = 'export' AND ended IS NOT NULL
ORDER BY seconds DESC, row DESC
LIMIT :top;
