-- Rule: event-never-ended
-- Severity: info
-- Title: Mirror runs that never finished
-- Shows: a setup, import or export that started long before the newest timestamp in the store and never finished.
-- Why: The process ended while the mirror was working: the app was quit, killed or crashed, or its background time
--   ran out. The mirror repeats the work; many such rows mean that it never finishes.
-- Next launch: The rows stay as they are; the framework never completes them. The work itself starts over.
-- Remedy: Ignore occasional ones. If they are frequent, give the app time to finish before it is suspended, and look
--   for crash reports from those times. 'storescope repair STORE clear-events' empties the log.
-- Needs: ANSCKEVENT
-- Log: ANSCKEVENT
-- False positives: A run that started shortly before the newest timestamp may still have been running when the file
--   was copied, so it isn't counted. A first import of a large library may take longer. If a process has the store
--   open, the evidence names it: that can be a daemon while the app is closed.
-- Evidence: App authors report it.
-- Message: {count} {setup, import or export|setups, imports or exports} never finished, such as {type} at
--   {started}{more}{holder}.
-- Param minutes: minutes from a run's start to the newest timestamp in the store; runs take seconds, and large first
--   imports up to half an hour, default 30
SELECT COALESCE(id, row) AS subject, id, type, started, row AS pk, COALESCE(:holder, '') AS holder,
  IIF(:holder IS NULL, '', '; the last one may still be running in ') AS more
FROM (SELECT row, type, started, ended, succeeded, IIF(typeof(id) = 'text', id, NULL) AS id FROM events)
WHERE type IN ('setup', 'import', 'export') AND ended IS NULL AND NOT succeeded
  AND :last_sign - core_data_date(started) > :minutes * 60
ORDER BY row;
