-- Title: Blocked stores
-- Shows: one row per store whose sync is blocked, most pending changes first.
-- Columns: address, app, cause (an error of the doctor's, the first by name if there are several; without one, why
--   sync is blocked), pending (changes that don't upload), since (when the oldest of them was saved)
SELECT s.address, s.app, COALESCE(MIN(f.title), s.verdictBecause) AS cause, s.pending, s.pendingOldest AS since
FROM stores s
LEFT JOIN findings f ON f.address = s.address AND f.severity = 'error'
WHERE s.verdict = 'blocked'
GROUP BY s.address, s.app, s.verdictBecause, s.pending, s.pendingOldest
ORDER BY s.pending DESC NULLS LAST, s.address;
