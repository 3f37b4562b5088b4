-- Title: Blocked stores, by cause
-- Shows: one row per app and error that a blocked store has, most stores first; a store with two errors is in two rows.
-- Columns: app, rule and title (NULL if sync is blocked without an error of the doctor's), stores, identifiers
--   (different store identifiers: copies of one store count once), pending (changes that don't upload), oldestPending
SELECT s.app, f.rule, f.title, COUNT(*) AS stores, COUNT(DISTINCT s.uuid) AS identifiers,
  SUM(COALESCE(s.pending, 0)) AS pending, MIN(s.pendingOldest) AS oldestPending
FROM stores s
LEFT JOIN findings f ON f.address = s.address AND f.severity = 'error'
WHERE s.verdict = 'blocked'
GROUP BY s.app, f.rule, f.title
ORDER BY stores DESC, s.app NULLS LAST, f.rule NULLS LAST, f.title NULLS LAST;
