-- Title: Stores that appear twice
-- Shows: one row per store identifier at more than one address, most addresses first.
-- Columns: uuid, addresses, contents (different ones: 1 if all copies are the same, byte for byte), firstAddress,
--   lastAddress, oldest and newest (timestamps of the copies), leastObjects, mostObjects
SELECT uuid, COUNT(*) AS addresses, COUNT(DISTINCT storeId) AS contents, MIN(address) AS firstAddress,
  MAX(address) AS lastAddress, MIN(lastChange) AS oldest, MAX(lastChange) AS newest, MIN(objects) AS leastObjects,
  MAX(objects) AS mostObjects
FROM stores
WHERE uuid IS NOT NULL
GROUP BY uuid
HAVING COUNT(*) > 1
ORDER BY addresses DESC, uuid;
