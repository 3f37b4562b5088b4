-- Title: Deleted objects, with time and author
-- Shows: one row per deleted object, newest first; title is its title or name, if history kept that.
-- Param entity (entity): only objects of this entity, default %
SELECT t.timestamp, t.author, c.entity || '/p' || c.pk AS object,
       COALESCE(json_extract(c.tombstone, '$.title'), json_extract(c.tombstone, '$.name')) AS title,
       c."transaction", c.uri
FROM changes c
LEFT JOIN transactions t ON t."transaction" = c."transaction"
WHERE c.change = 'delete' AND COALESCE(c.entity, '') LIKE :entity
ORDER BY c."transaction" DESC, c.row DESC;
