-- Title: Storage by table
-- Shows: one row per table or index, with its pages and bytes in the file, largest first.
SELECT name, COUNT(*) AS pages, SUM(pgsize) AS bytes, SUM(unused) AS unused
FROM dbstat
GROUP BY name
ORDER BY bytes DESC, name;
