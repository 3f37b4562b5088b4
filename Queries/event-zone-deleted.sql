-- Rule: event-zone-deleted
-- Severity: error
-- Title: Zone missing on the server
-- Shows: runs that ended with CKErrorDomain 26 or 28 and no success of the same type since: one finding per type of
--   run and error.
-- Why: 26: the zone doesn't exist; if it is the user's own zone, the mirror uploads everything again; if it is a
--   shared zone, the mirror deletes the local objects. 28: the user deleted the app's data in the iCloud settings,
--   and the mirror deletes the zone's local objects.
-- Next launch: The mirror recreates the default zone. Objects still in the local store are uploaded as far as history
--   covers them; deleted objects don't come back.
-- Remedy: Back the store up before the next launch. If nobody deleted anything, check that the build uses the same
--   container and environment as before. If objects stay pending afterward, 'storescope resync STORE --push' uploads
--   all of them again. A zone that the user deleted on purpose should stay deleted.
-- Needs: ANSCKEVENT
-- Log: ANSCKEVENT
-- False positives: A success of the same type clears it; the rule past-wipe then reports deleted objects. The end of
--   a share also shows as 26.
-- Evidence: App authors report what the mirror deletes and uploads. The codes are documented by Apple:
--   https://developer.apple.com/documentation/cloudkit/ckerror/code/userdeletedzone
-- Message: {runs} failed with {error} since {first}, and none has succeeded. {meaning}
SELECT type || ' ' || error AS subject, type, error, errorDomain, errorCode, errorName, unresolved AS failures, runs,
  since AS first, last, meaning
FROM failures
WHERE unresolved > 0 AND NOT isNoise AND concern = 'zone'
ORDER BY type DESC, unresolved DESC, sinceRow;
