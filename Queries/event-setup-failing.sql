-- Rule: event-setup-failing
-- Severity: error
-- Title: Setup of mirroring fails again and again
-- Shows: setups that failed repeatedly since the last successful setup, import or export: one finding per error.
-- Why: Without a setup nothing is imported or exported: changes made here stay on this device, and changes from other
--   devices don't arrive.
-- Next launch: The mirror tries again and, if the cause persists, fails with the same error. With NSCocoaErrorDomain
--   134405 it also deletes the local objects.
-- Remedy: Look the code up with 'storescope explain CODE' and fix the cause: 134060 means a model incompatible with
--   CloudKit, 134400 a problem with the account, container or entitlement. Back the store up before anybody signs in
--   or out.
-- Needs: ANSCKEVENT
-- Log: ANSCKEVENT
-- False positives: Harmless errors (134407, 134415, 134417, 134419, 134422 and similar) and errors that resolve
--   themselves, such as a missing network, don't count. A simulator or a test build without an account always fails
--   like this.
-- Evidence: App authors report it; Apple's technote documents the checks of a setup:
--   https://developer.apple.com/documentation/technotes/tn3163-understanding-the-synchronization-of-nspersistentcloudkitcontainer
-- Message: {runs} failed with {error} since {first}, and none has succeeded. {meaning}
-- Param least: setups that ended with the same error, without any success since; the mirror tries at each launch, and
--   one or two failures just mean a launch at the wrong moment, default 3
SELECT type || ' ' || error AS subject, type, error, errorDomain, errorCode, errorName, unresolved AS failures, runs,
  since AS first, last, meaning
FROM failures
WHERE type = 'setup' AND unresolved >= :least AND NOT isNoise AND NOT resolvesItself
ORDER BY type DESC, unresolved DESC, sinceRow;
