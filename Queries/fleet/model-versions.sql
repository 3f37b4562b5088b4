-- Title: Model versions in the field
-- Shows: one row per app and model, most stores first. Stores with the same modelHash have the same entities, whatever
--   their model is called.
-- Columns: app, modelHash, modelVersions (the identifiers that the model's author gave), stores, percent (of the app's
--   stores), mirrored (stores), firstSeen and lastSeen (oldest and newest of the stores' newest timestamps)
WITH apps AS (
  SELECT COALESCE(app, '') AS app, COUNT(*) AS stores FROM stores GROUP BY COALESCE(app, '')
),
models AS (
  SELECT COALESCE(app, '') AS app, modelHash, modelVersions, COUNT(*) AS stores, COUNT(mirror) AS mirrored,
    MIN(lastChange) AS firstSeen, MAX(lastChange) AS lastSeen
  FROM stores
  GROUP BY COALESCE(app, ''), modelHash, modelVersions
)
SELECT NULLIF(m.app, '') AS app, m.modelHash, m.modelVersions, m.stores,
  ROUND(CAST(m.stores AS DOUBLE) * 100 / a.stores, 1) AS percent, m.mirrored, m.firstSeen, m.lastSeen
FROM models m
JOIN apps a ON a.app = m.app
ORDER BY m.stores DESC, m.app, m.modelHash NULLS LAST, m.modelVersions NULLS LAST;
