-- Title: Programs that write without an author
-- Shows: one row per app and set of programs whose transactions have no author, most stores first. Without an author,
--   an app can't distinguish its own changes from those of its extensions.
-- Columns: app, bundles, processes, stores, transactions, changes, lastSave
SELECT s.app, a.bundles, a.processes, COUNT(DISTINCT a.address) AS stores, SUM(a.transactions) AS transactions,
  SUM(a.inserts + a.updates + a.deletes) AS changes, MAX(a.last) AS lastSave
FROM authors a
JOIN stores s ON s.address = a.address
WHERE a.author IS NULL
GROUP BY s.app, a.bundles, a.processes
ORDER BY stores DESC, s.app NULLS LAST, a.bundles NULLS LAST, a.processes NULLS LAST;
