-- Title: Records not uploaded
-- Shows: one row per record whose state isn't 'uploaded', by state.
-- Param entity (entity): only records of this entity, default %
SELECT state, entity, uri, recordName, zone, lastExported, pendingExport
FROM records
WHERE state <> 'uploaded' AND COALESCE(entity, '') LIKE :entity
ORDER BY state, entity, pk;
