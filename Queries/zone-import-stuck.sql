-- Rule: zone-import-stuck
-- Severity: warning
-- Title: Zones with a stuck import
-- Shows: a zone that has needed an import, or has been without a change token, since long before the newest
--   timestamp in the store.
-- Why: Changes from other devices don't arrive. An import normally runs within minutes; the store was used since, but
--   the zone wasn't fetched.
-- Next launch: Once setup succeeds, the zone is fetched, completely if its change token is missing.
-- Remedy: Check how imports end with 'storescope events STORE'. If they succeed and the zone still needs an import,
--   'storescope resync STORE --pull' makes the next launch fetch every zone from the beginning.
-- Param days: days between the zone's last fetch and the newest timestamp in the store, one day because devices in use
--   fetch several times a day, default 1
-- Needs: ANSCKRECORDZONEMETADATA
-- False positives: A device that was offline, signed out or had sync turned off all that time. Zones that were never
--   fetched are left out, because their age isn't known; so are zones without a token in the public database, which has
--   no tokens.
-- Evidence: App authors report zones that stay in this state.
-- Message: {count} {zone needs|zones need} an import: {zone}, last fetched {days} {days:day|days} before the newest timestamp.
SELECT name AS zone, owner, scope, needsImport, hasToken, lastFetch,
  ROUND((:last_sign - core_data_date(lastFetch)) / 86400, 1) AS days, name || ' of ' || owner AS subject
FROM zones
WHERE (needsImport OR (NOT hasToken AND scope IS NOT 'public' AND name IS NOT '_defaultZone'))
  AND core_data_date(lastFetch) <= :last_sign - :days * 86400
ORDER BY zones.row;
