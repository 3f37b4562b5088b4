-- Title: Most updated properties
-- Shows: one row per entity and property, with the number of updates that changed it.
SELECT c.entity, property.value AS property, COUNT(*) AS updates
FROM changes c, json_each(c.properties) property
WHERE c.change = 'update'
GROUP BY c.entity, property.value
ORDER BY updates DESC, c.entity, property.value;
