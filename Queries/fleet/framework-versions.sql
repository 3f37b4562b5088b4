-- Title: Framework versions in the field
-- Shows: one row per version of the framework that last wrote a store, newest first; NULL if it isn't recorded.
-- Columns: frameworkVersion, framework, kind, stores, mirrored (stores), blocked (stores), atRisk (stores), lastChange
SELECT frameworkVersion, framework, kind, COUNT(*) AS stores, COUNT(mirror) AS mirrored,
  COUNT(*) FILTER (WHERE outcome = 'blocked') AS blocked, COUNT(*) FILTER (WHERE outcome = 'atRisk') AS atRisk,
  MAX(lastChange) AS lastChange
FROM stores
GROUP BY frameworkVersion, framework, kind
ORDER BY frameworkVersion DESC NULLS LAST, framework NULLS LAST, kind NULLS LAST;
