-- Rule: entity-never-acknowledged
-- Severity: warning
-- Title: No record of an entity ever reached the server
-- Shows: an entity none of whose records has a copy from the server, while records of other entities that
--   were exported since do.
-- Why: CloudKit rejects all records of a type that the production schema lacks, or that has a field the schema lacks.
--   Other entities sync, so the app seems to work, but this entity's objects stay on this device.
-- Next launch: The next export sends these records again, and the server rejects them again.
-- Remedy: Deploy the schema in CloudKit Console: Deploy Schema Changes from development to production, with all record types
--   and fields of this entity. Nothing in the store needs repair: the records stay pending and are uploaded then.
-- Needs: ANSCKRECORDMETADATA
-- False positives: An entity whose first objects were saved a moment ago. Records that were never flagged for an
--   export are left out. A zone that the user may only read.
-- Evidence: App authors report that exactly the entities are missing that production doesn't have.
-- Message: {records} {records:record|records} of {entity} never reached the server, while those of other entities did
--   since: its type is probably missing in the production schema.
-- Param least: records of the entity; one or two may be rejected for a reason of their own, default 3
-- An index finds an entity's first record with a copy at once, where counting would read all records.
WITH silent AS (
  SELECT number, name FROM entities
  WHERE number < 16000
    AND EXISTS (SELECT 1 FROM records r WHERE r.entityNumber = entities.number)
    AND NOT EXISTS (SELECT 1 FROM records r WHERE r.entityNumber = entities.number AND r.acknowledged)
), kinds AS (
  SELECT silent.name AS entity, COUNT(*) AS records,
    MIN(COALESCE(r.pendingExport, r.lastExported)) AS firstExport
  FROM silent JOIN records r ON r.entityNumber = silent.number
  GROUP BY silent.number, silent.name
)
SELECT entity AS subject, entity, records, firstExport,
  (SELECT MAX(lastExported) FROM records WHERE acknowledged) AS othersExported
FROM kinds
WHERE records >= :least AND othersExported > firstExport
ORDER BY entity;
