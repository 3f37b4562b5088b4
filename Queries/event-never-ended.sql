-- Rule: event-never-ended
-- Severity: info
-- Title: Runs of the mirror without an end
-- Shows: one row per setup, import or export that began and has no end, long before the newest timestamp in the store.
-- Why: The process ended while the mirror was at work: the app was quit, killed or crashed, or its time in the background
--   ran out. What was under way is done again; many such rows mean that it never gets done.
-- Next launch: The rows stay as they are; the framework never completes them. The work itself is begun anew.
-- Remedy: Nothing for single ones. If they are frequent, give the app time to finish before it is suspended, and look for
--   crash reports of those moments. 'storescope repair STORE clear-events' empties the log.
-- Needs: ANSCKEVENT
-- False positives: A run that began shortly before the newest timestamp may still have been at work when the file was
--   copied, and isn't counted. A first import of a large library may take longer.
-- Evidence: App authors report it.
-- Message: {count} {setup, import or export|setups, imports or exports} never ended, such as {type} at {started}.
-- Param minutes: minutes from a run's begin to the newest timestamp in the store; runs take seconds, and large first
--   imports up to half an hour, default 30
SELECT COALESCE(id, CAST(events.row AS TEXT)) AS subject, id, type, started, events.row AS pk
FROM events
WHERE ended IS NULL AND :last_sign - core_data_date(started) > :minutes * 60
ORDER BY events.row;
