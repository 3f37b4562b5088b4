-- Rule: link-stuck
-- Severity: warning
-- Title: Many-to-many links that don't move
-- Shows: one row per link that still waits for an object although all was fetched, or for its deletion although the
--   last export succeeded.
-- Why: A waiting link isn't shown: one of its objects seems to be missing here while another device has both. Many of them
--   make imports look at the same links again and again. A link that should be deleted keeps objects together elsewhere.
-- Next launch: Each import tries the waiting links again, each export the deletions; these were passed by before.
-- Remedy: 'storescope resync STORE --pull' lets the next launch fetch every zone again, and with it the missing objects.
--   Where the missing objects are on another device, touch them there so that they are uploaded.
-- Needs: ANSCKMIRROREDRELATIONSHIP, ANSCKRECORDZONEMETADATA, ANSCKEVENT
-- False positives: A link that came with the newest import, while another device is still sending its object. Links in
--   zones that are still being fetched, and deletions after which no export has succeeded, are left out.
-- Evidence: App authors report nearly twenty thousand links waiting for objects that never came, and imports without end.
-- Message: {count} many-to-many {link doesn't|links don't} move, the first of them {entity}.{relationship}: {waitsFor}.
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
