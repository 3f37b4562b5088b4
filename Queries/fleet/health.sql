-- Title: Health of the fleet
-- Shows: one row per app and outcome, most stores first.
-- Columns: app, outcome (healthy, needsAttention, blocked, atRisk), stores, percent (of the app's stores), pending
--   (changes), bytes
SELECT app, outcome, COUNT(*) AS stores,
  ROUND(CAST(COUNT(*) AS DOUBLE) * 100 / SUM(COUNT(*)) OVER (PARTITION BY app), 1) AS percent,
  SUM(COALESCE(pending, 0)) AS pending, SUM(bytes) AS bytes
FROM stores
GROUP BY app, outcome
ORDER BY stores DESC, app NULLS LAST, outcome;
