-- Rule: event-quota-exceeded
-- Severity: error
-- Title: iCloud storage is full
-- Shows: runs that ended with CKErrorDomain 25 and no success of the same type since, or repeated partial failures of
--   exports soon after CKErrorDomain 25 was logged.
-- Why: Uploads stop, and the user isn't notified: downloads continue. Pending changes exist only on this device.
-- Next launch: The mirror keeps trying to export and keeps failing until there is free storage; then it resumes on
--   its own.
-- Remedy: Free iCloud storage on this account; uploads then resume on their own. If records of a share are rejected,
--   the share's owner has to free storage. 'storescope pending STORE' lists the pending changes.
-- Needs: ANSCKEVENT
-- Log: ANSCKEVENT
-- False positives: An export with nothing to upload may succeed although storage is full; the rule then reports
--   nothing until the next export fails. Partial failures alone can have any cause, so they count only soon after
--   CKErrorDomain 25 was logged.
-- Evidence: App authors report how uploads stop. The code is documented by Apple:
--   https://developer.apple.com/documentation/cloudkit/ckerror/code/quotaexceeded
-- Message: {runs} failed with {error} since {first}, and none has succeeded{more}.
-- Param partials: exports that ended in a partial failure since the last success; one or two can come from conflicts
--   between devices, default 3
-- Param days: days from the last CKErrorDomain 25 in the log to the first of the partial failures; storage that was
--   freed briefly is full again within a week, and later failures are probably unrelated, default 7
SELECT type || ' ' || error AS subject, type, error, errorDomain, errorCode, errorName, unresolved AS failures, runs,
  since AS first, last, meaning,
  IIF(concern = 'quota', 'iCloud storage is full', 'iCloud storage was full shortly before, and may be again') AS reading,
  IIF(concern = 'quota', '', '; iCloud storage was full shortly before') AS more
FROM failures
WHERE unresolved > 0 AND NOT isNoise
  AND (concern = 'quota'
    OR type = 'export' AND concern = 'partialFailure' AND unresolved >= :partials
      AND NOT EXISTS (SELECT 1 FROM failures WHERE type = 'export' AND concern = 'quota' AND unresolved > 0)
      AND core_data_date(since) - (
        SELECT core_data_date(last) FROM failures WHERE concern = 'quota' AND NOT isNoise ORDER BY row DESC LIMIT 1
      ) <= :days * 86400)
ORDER BY concern = 'partialFailure', type DESC, unresolved DESC, sinceRow;
