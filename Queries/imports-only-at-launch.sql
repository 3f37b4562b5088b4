-- Rule: imports-only-at-launch
-- Severity: info
-- Title: Imports happen only at launch
-- Shows: at least 'least' imports over at least 'days', every one of which began within 'seconds' of a setup.
-- Why: While the app runs, a push announces changes from other devices, and the mirror imports them at once. If
--   imports happen only at launch, the pushes don't arrive: people see changes from other devices only after a
--   restart of the app.
-- Next launch: The next launch imports what has changed; the store is fine.
-- Remedy: Check the app's capabilities: push notifications, and background mode 'remote notifications'; the simulator
--   gets no pushes for iCloud on some Macs. On iOS 26.4.0 silent pushes don't arrive, and on 26.4.1 they do again, as
--   one app author reports. Nothing in the store needs repair.
-- Needs: ANSCKEVENT
-- Log: ANSCKEVENT
-- False positives: An account with one device: there is nothing to import between launches. Apps that are never open
--   for longer than a minute.
-- Evidence: App authors report it; that pushes are needed is documented by Apple:
--   https://developer.apple.com/documentation/coredata/setting-up-core-data-with-cloudkit
-- Message: All {imports} imports in {days} {days:day|days} began right after a setup: changes from other devices
--   arrive only at launch.
-- Param days: days from the first import to the last; pushes may fail for a day or two, default 3
-- Param least: imports; with fewer, the app was hardly used, default 5
-- Param seconds: seconds from the end of a setup to the beginning of an import; the first import follows at once,
--   default 30
WITH runs AS (
  SELECT row, type, core_data_date(COALESCE(started, ended)) AS began, core_data_date(COALESCE(ended, started)) AS ended,
    COUNT(*) FILTER (WHERE type = 'setup') OVER (ORDER BY row) AS setups
  FROM events
  WHERE COALESCE(started, ended) IS NOT NULL
), imports AS (
  SELECT import.row, import.began, import.began - setup.ended AS delay
  FROM runs import LEFT JOIN runs setup ON setup.type = 'setup' AND setup.setups = import.setups
  WHERE import.type = 'import'
), span AS (
  SELECT COUNT(*) AS imports, COUNT(delay) AS afterSetup, MIN(delay) AS shortest, MAX(delay) AS longest,
    (SELECT began FROM imports ORDER BY row LIMIT 1) AS first,
    (SELECT began FROM imports ORDER BY row DESC LIMIT 1) AS last
  FROM imports
)
SELECT 'imports' AS subject, imports, iso_date(first) AS first, iso_date(last) AS last,
  CAST((last - first) / 86400 AS INTEGER) AS days
FROM span
WHERE imports >= :least AND afterSetup = imports AND shortest >= 0 AND longest <= :seconds
  AND last - first >= :days * 86400;
