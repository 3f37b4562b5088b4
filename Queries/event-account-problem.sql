-- Rule: event-account-problem
-- Severity: error
-- Title: iCloud account problem
-- Shows: runs that ended with NSCocoaErrorDomain 134400 or 134405 or with CKErrorDomain 9 or 36, and no successful
--   run since: one finding per type of run and error.
-- Why: Without its account the mirror neither uploads nor fetches. With a different account than before (134405), it
--   deletes the local objects and starts over with the new account's data; pending changes are lost.
-- Next launch: 134400, 9 and 36: the mirror checks the account again and deletes nothing. 134405: the local objects
--   are deleted, if they weren't already, and the current account's objects are fetched.
-- Remedy: Back the store up before the next launch. Then the user has to sign in to the previous iCloud account,
--   accept its terms and allow iCloud for the app; if the account is fine, check the container and the entitlement.
-- Needs: ANSCKEVENT
-- Log: ANSCKEVENT
-- False positives: Any later success clears it; for a public database, which is read without an account, only a
--   success of the same type. 134400 can also mean a wrong container, a missing entitlement or an unsigned build.
-- Evidence: App authors report the codes of NSCocoaErrorDomain. Documented by Apple:
--   https://developer.apple.com/documentation/cloudkit/ckerror/code/notauthenticated
-- Message: {runs} failed with {error} since {first}, and none has succeeded. {meaning}
SELECT type || ' ' || error AS subject, type, error, errorDomain, errorCode, errorName, unresolved AS failures, runs,
  since AS first, last, meaning
FROM failures
WHERE unresolved > 0 AND NOT isNoise AND concern = 'account'
  -- Any success proves that there is an account, except in a public database, which is read without one.
  AND (row > (SELECT COALESCE(MAX(row), 0) FROM events WHERE succeeded AND type IN ('setup', 'import', 'export'))
    OR :scope = 'public')
ORDER BY type DESC, unresolved DESC, sinceRow;
