-- Title: Stores that the next launch wipes
-- Shows: one row per store whose next launch deletes its objects and fetches them again, or loses data in another way;
--   most pending changes first, which exist nowhere else.
-- Columns: address, app, appVersion, launch, launchWipes, pending, objects, why (the first error of the doctor's),
--   lastChange
SELECT s.address, s.app, s.appVersion, s.launch, s.launchWipes, s.pending, s.objects, MIN(f.title) AS why,
  s.lastChange
FROM stores s
LEFT JOIN findings f ON f.address = s.address AND f.severity = 'error'
WHERE s.launchWipes OR s.launch = 'losesData'
GROUP BY s.address, s.app, s.appVersion, s.launch, s.launchWipes, s.pending, s.objects, s.lastChange
ORDER BY s.pending DESC NULLS LAST, s.address;
