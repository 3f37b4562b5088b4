-- Title: Outliers
-- Shows: one row per store and measure that is more than ten times the median of the stores with the same app and model,
--   farthest off first; only groups of at least ten stores have a median worth comparing with.
-- Columns: address, app, measure (bytes, historyBytes, transactions, objects or pending), amount, median, times, ofStores
WITH measures AS (
  SELECT address, app, modelHash, 'bytes' AS measure, bytes AS amount FROM stores
  UNION ALL
  SELECT address, app, modelHash, 'historyBytes' AS measure, historyBytes AS amount FROM stores
  UNION ALL
  SELECT address, app, modelHash, 'transactions' AS measure, transactions AS amount FROM stores
  UNION ALL
  SELECT address, app, modelHash, 'objects' AS measure, objects AS amount FROM stores
  UNION ALL
  SELECT address, app, modelHash, 'pending' AS measure, pending AS amount FROM stores
),
medians AS (
  SELECT app, modelHash, measure, PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY amount) AS median, COUNT(*) AS stores
  FROM measures
  WHERE amount IS NOT NULL
  GROUP BY app, modelHash, measure
)
SELECT m.address, m.app, m.measure, m.amount, CAST(d.median AS BIGINT) AS median,
  ROUND(CAST(m.amount AS DOUBLE) / d.median, 1) AS times, d.stores AS ofStores
FROM measures m
JOIN medians d
  ON d.app IS NOT DISTINCT FROM m.app AND d.modelHash IS NOT DISTINCT FROM m.modelHash AND d.measure = m.measure
WHERE d.stores >= 10 AND d.median > 0 AND m.amount > 10 * d.median
ORDER BY times DESC, m.address, m.measure;
