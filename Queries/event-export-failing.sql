-- Rule: event-export-failing
-- Severity: error
-- Title: Exports fail
-- Shows: exports that failed since the last successful one, while the newest import succeeded: one finding per error.
-- Why: No change made here reaches other devices, and pending changes are lost with this one. While imports succeed,
--   the device shows other devices' changes, so sync seems to work.
-- Next launch: The mirror exports the same changes again and, with the same cause, ends with the same error.
-- Remedy: Look the code up with 'storescope explain CODE', and list the pending changes with 'storescope pending
--   STORE'. A partial failure doesn't record its cause: the app's log has it, often a record type or field that the
--   production schema lacks.
-- Needs: ANSCKEVENT
-- Log: ANSCKEVENT
-- False positives: Harmless errors (134407, 134417, 134419, 134422 and similar) and errors that resolve themselves,
--   such as throttling or a missing network, don't count. Full storage, a deleted zone and the account have rules of
--   their own, and if the newest import failed too, the rule for imports reports it instead.
-- Evidence: App authors report it; Apple shows how to read the log:
--   https://developer.apple.com/documentation/technotes/tn3164-debugging-the-synchronization-of-nspersistentcloudkitcontainer
-- Message: {runs} failed with {error} since {first}, and none has succeeded; {how}. {meaning}
-- Param least: exports that failed, with any error, without a success since; a conflict or an interruption causes one
--   or two failures, and the next export makes up for them, default 3
WITH lasting AS (
  SELECT * FROM failures WHERE type = 'export' AND unresolved > 0 AND NOT isNoise AND NOT resolvesItself
    AND concern IS NOT 'quota' AND concern IS NOT 'zone'
    AND NOT (concern IS 'account' AND row > (
      SELECT COALESCE(MAX(row), 0) FROM events WHERE succeeded AND type IN ('setup', 'import', 'export')))
), success AS (
  SELECT row, COALESCE(started, ended) AS at FROM events WHERE type = 'import' AND succeeded ORDER BY row DESC LIMIT 1
)
SELECT type || ' ' || error AS subject, type, error, errorDomain, errorCode, errorName, unresolved AS failures, runs,
  since AS first, last, meaning, success.at AS lastImport,
  IIF(success.row > sinceRow, 'imports succeed, the last', 'no import has succeeded since the one')
    || COALESCE(' at ' || replace(success.at, ' ', 'T'), '') AS how
FROM lasting, success
WHERE (SELECT SUM(unresolved) FROM lasting) >= :least
  AND NOT EXISTS (SELECT 1 FROM failures WHERE type = 'import' AND unresolved > 0 AND NOT isNoise)
ORDER BY type DESC, unresolved DESC, sinceRow;
