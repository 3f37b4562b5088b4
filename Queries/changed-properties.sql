-- Title: Which properties are updated most
-- Shows: one row per entity and property, with the number of updates whose mask names it.
SELECT c.entity, property.value AS property, COUNT(*) AS updates
FROM changes c, json_each(c.properties) property
WHERE c.change = 'update'
GROUP BY c.entity, property.value
ORDER BY updates DESC, c.entity, property.value;
