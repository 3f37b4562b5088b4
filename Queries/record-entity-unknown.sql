-- Rule: record-entity-unknown
-- Severity: warning
-- Title: Records of an unknown entity
-- Shows: a record whose entity number isn't an entity of the app in Z_PRIMARYKEY.
-- Why: No object belongs to the record, so it is never updated or deleted on the server anymore. When a later migration
--   renumbers the entities, these rows can collide with valid ones and make the migration fail with 'UNIQUE constraint
--   failed: ANSCKRECORDMETADATA.ZENTITYID, ZENTITYPK'.
-- Next launch: Nothing, unless the model changed since the last setup: then setup deletes these rows.
-- Remedy: Before shipping a new model version, run 'storescope repair STORE remove-orphan-records --cloud keep', or
--   '--cloud delete' to delete the entity's records on the server too.
-- Needs: ANSCKRECORDMETADATA
-- False positives: None known.
-- Evidence: App authors report the failed migration; what setup does is inferred from their reports.
-- Message: {count} {record has|records have} an unknown entity number, the first of them {entityNumber}.
SELECT recordName, zone, entityNumber, pk, needsUpload,
  lastExported, COALESCE(recordName, 'row ' || records.row) AS subject
FROM records
WHERE COALESCE(entityNumber NOT IN (SELECT number FROM entities WHERE number < 16000), 1)
ORDER BY records.row;
