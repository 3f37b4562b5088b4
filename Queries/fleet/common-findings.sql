-- Title: Most common findings, by app version
-- Shows: one row per rule, app and app version, most stores first.
-- Columns: rule, severity, title, app, appVersion (NULL if not recorded), stores (with this finding), ofStores (all of
--   that version), percent, occurrences (objects, records or runs that the finding is about)
WITH versions AS (
  SELECT COALESCE(app, '') AS app, COALESCE(appVersion, '') AS appVersion, COUNT(*) AS stores
  FROM stores
  GROUP BY COALESCE(app, ''), COALESCE(appVersion, '')
),
found AS (
  SELECT f.rule, f.severity, f.title, COALESCE(s.app, '') AS app, COALESCE(s.appVersion, '') AS appVersion,
    COUNT(DISTINCT f.address) AS stores, SUM(f.count) AS occurrences
  FROM findings f
  JOIN stores s ON s.address = f.address
  GROUP BY f.rule, f.severity, f.title, COALESCE(s.app, ''), COALESCE(s.appVersion, '')
)
SELECT f.rule, f.severity, f.title, NULLIF(f.app, '') AS app, NULLIF(f.appVersion, '') AS appVersion, f.stores,
  v.stores AS ofStores, ROUND(CAST(f.stores AS DOUBLE) * 100 / v.stores, 1) AS percent, f.occurrences
FROM found f
JOIN versions v ON v.app = f.app AND v.appVersion = f.appVersion
ORDER BY f.stores DESC, f.rule, f.app, f.appVersion, f.title;
