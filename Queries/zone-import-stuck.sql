-- Rule: zone-import-stuck
-- Severity: warning
-- Title: Zones whose import doesn't move
-- Shows: one row per zone that asks for an import, or has lost its place in the server's changes, since long before the
--   newest timestamp in the store.
-- Why: What other devices changed doesn't arrive. An import is normally due within minutes; the store was used since, and
--   the zone was still not fetched.
-- Next launch: Once setup succeeds, the zone is fetched: in full where its change token is gone.
-- Remedy: See what imports say with 'storescope events STORE'. Where they succeed and the zone still asks,
--   'storescope resync STORE --pull' lets the next launch fetch every zone from the beginning.
-- Param days: days between the zone's last fetch and the newest timestamp in the store, one day because devices that
--   are used fetch several times a day, default 1
-- Needs: ANSCKRECORDZONEMETADATA
-- False positives: A device that was offline, signed out or had sync switched off all that time. Zones that were never
--   fetched are left out, as their age isn't known; so are zones without a token in the public database, which has none.
-- Evidence: App authors report zones that stay in this state.
-- Message: {count} {zone needs|zones need} an import: {zone}, last fetched {days} {days:day|days} before the newest timestamp.
SELECT name AS zone, owner, scope, needsImport, hasToken, lastFetch,
  ROUND((:last_sign - core_data_date(lastFetch)) / 86400, 1) AS days, name || ' of ' || owner AS subject
FROM zones
WHERE (needsImport OR (NOT hasToken AND scope IS NOT 'public' AND name IS NOT '_defaultZone'))
  AND core_data_date(lastFetch) <= :last_sign - :days * 86400
ORDER BY zones.row;
