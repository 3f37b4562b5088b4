-- Title: What was deleted, when and by whom
-- Shows: one row per deleted object, newest first.
-- Param entity (entity): only objects of this entity, default %
SELECT t.timestamp, t.author, c.entity, c.uri, c."transaction"
FROM changes c
LEFT JOIN transactions t ON t."transaction" = c."transaction"
WHERE c.change = 'delete' AND COALESCE(c.entity, '') LIKE :entity
ORDER BY c."transaction" DESC, c.row DESC;
