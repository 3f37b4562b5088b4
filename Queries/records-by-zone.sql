-- Title: Zones and their records
-- Shows: one row per zone, with the number of its records and of records that aren't uploaded, largest first.
SELECT z.name AS zone, z.owner, z.scope, COUNT(r.row) AS records,
  COUNT(r.row) FILTER (WHERE r.state <> 'uploaded') AS notUploaded, z.needsImport, z.lastFetch
FROM zones z
LEFT JOIN records r ON r.zoneRow = z.row
GROUP BY z.row
ORDER BY records DESC, z.name;
