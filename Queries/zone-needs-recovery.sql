-- Rule: zone-needs-recovery
-- Severity: warning
-- Title: Zones with pending recovery or share work
-- Shows: a zone with a flag for lost encryption keys, a deleted or purged zone, a new invitation to a share,
--   or a share that must be saved or deleted.
-- Why: If keys are lost, nobody can read the zone's records until this device uploads its objects again. A zone that
--   needs a new invitation imports nothing. Until a share is saved, participants, or former participants, may see
--   outdated access.
-- Next launch: After lost keys everything in the zone is uploaded again; shares are saved or deleted with the next
--   export. The zone's owner has to send a new invitation.
-- Remedy: Let the app run with the account signed in, and check with 'storescope events STORE' whether exports succeed.
--   For needsNewShareInvitation, ask the zone's owner to invite again.
-- Needs: ANSCKRECORDZONEMETADATA
-- False positives: A share that was just edited is pending until the next export; that is normal for some minutes, and
--   the store doesn't record for how long it has been pending.
-- Evidence: App authors report the flags; lost keys are documented by Apple:
--   https://developer.apple.com/documentation/cloudkit/encrypting-user-data
-- Message: {count} {zone has|zones have} recovery or share flags set, the first of them {zone}: {flags}.
SELECT name AS zone, owner, scope, lastFetch, name || ' of ' || owner AS subject,
  SUBSTR(
    IIF(needsRecoveryFromIdentityLoss, ', needsRecoveryFromIdentityLoss', '')
      || IIF(needsRecoveryFromZoneDelete, ', needsRecoveryFromZoneDelete', '')
      || IIF(needsRecoveryFromUserPurge, ', needsRecoveryFromUserPurge', '')
      || IIF(needsNewShareInvitation, ', needsNewShareInvitation', '')
      || IIF(needsShareUpdate, ', needsShareUpdate', '') || IIF(needsShareDelete, ', needsShareDelete', ''),
    3) AS flags
FROM zones
WHERE needsRecoveryFromIdentityLoss OR needsRecoveryFromZoneDelete OR needsRecoveryFromUserPurge
  OR needsNewShareInvitation OR needsShareUpdate OR needsShareDelete
ORDER BY zones.row;
