-- Rule: event-import-failing
-- Severity: error
-- Title: Imports fail again and again
-- Shows: imports that failed since the last successful one: one finding per error.
-- Why: Changes from other devices don't arrive here. If people keep editing old values, their edits may later
--   overwrite newer ones.
-- Next launch: The mirror fetches again from its last change token and, if the cause persists, fails with the same
--   error.
-- Remedy: Look the code up with 'storescope explain CODE'. If a record can't be imported, the app's log shows it; if
--   the token or leftovers of earlier imports cause the failure, 'storescope resync STORE --pull' fetches everything
--   again.
-- Needs: ANSCKEVENT
-- Log: ANSCKEVENT
-- False positives: Harmless errors (134407, 134417, 134419, 134422 and similar) and errors that resolve themselves,
--   such as throttling, a missing network or an expired change token, don't count. A deleted zone has a rule of its own.
-- Evidence: App authors report it; Apple shows how to read the log:
--   https://developer.apple.com/documentation/technotes/tn3164-debugging-the-synchronization-of-nspersistentcloudkitcontainer
-- Message: {runs} failed with {error} since {first}, and none has succeeded. {meaning}
-- Param least: imports that failed, with any error, without a success since; imports follow every push, so one or two
--   failures are soon made up for, default 3
WITH lasting AS (
  SELECT * FROM failures WHERE type = 'import' AND unresolved > 0 AND NOT isNoise AND NOT resolvesItself
    AND concern IS NOT 'zone'
)
SELECT type || ' ' || error AS subject, type, error, errorDomain, errorCode, errorName, unresolved AS failures, runs,
  since AS first, last, meaning
FROM lasting
WHERE (SELECT SUM(unresolved) FROM lasting) >= :least
ORDER BY type DESC, unresolved DESC, sinceRow;
