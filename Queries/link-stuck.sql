-- Rule: link-stuck
-- Severity: warning
-- Title: Stuck many-to-many links
-- Shows: a link that is still pending for an object although everything was fetched, or for its deletion
--   although the last export succeeded.
-- Why: A pending link isn't shown: one of its objects seems to be missing here while another device has both. Many
--   pending links make imports check the same links again and again. A link that should be deleted keeps objects linked
--   on other devices.
-- Next launch: Each import retries pending links, and each export retries deletions; these links and deletions were
--   skipped before.
-- Remedy: 'storescope resync STORE --pull' makes the next launch fetch every zone again, including missing objects. If
--   the missing objects are on another device, save them there again so that they are uploaded.
-- Needs: ANSCKMIRROREDRELATIONSHIP, ANSCKRECORDZONEMETADATA, ANSCKEVENT
-- False positives: A link that came with the newest import, while another device is still sending its object. Links in
--   zones that are still being fetched, and deletions after which no export has succeeded, are left out.
-- Evidence: App authors report nearly twenty thousand links pending for objects that never arrived, and endless
--   imports.
-- Message: {count} many-to-many {link is|links are} stuck, the first of them {entity}.{relationship}: {waitsFor}.
SELECT l.recordName, l.zone, l.entity, l.relationship, l.relatedEntity,
  l.objectKnown, l.relatedKnown, l.isUploaded,
  CASE WHEN l.needsDelete THEN 'deletion' WHEN l.objectKnown AND l.relatedKnown THEN 'objects that are here'
    ELSE 'an object that is not here' END AS waitsFor,
  COALESCE(l.recordName, 'row ' || l.row) AS subject
FROM links l
LEFT JOIN zones z ON z.row = l.zoneRow
WHERE (l.isPending AND ((l.objectKnown AND l.relatedKnown) OR NOT COALESCE(z.needsImport, 0)))
  OR (
    l.needsDelete
    AND COALESCE((SELECT e.succeeded FROM events e WHERE e.type = 'export' ORDER BY e.row DESC LIMIT 1), 0))
ORDER BY l.row;
