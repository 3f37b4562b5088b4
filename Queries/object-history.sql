-- Title: History of one object
-- Shows: one row per change of the object, oldest first.
-- Param uri (object): the object: Entity/pN, its URI or its title
SELECT t.timestamp, t.author, t.process, c.change, c.properties, c."transaction"
FROM changes c
LEFT JOIN transactions t ON t."transaction" = c."transaction"
WHERE c.uri = :uri
ORDER BY c."transaction", c.row;
