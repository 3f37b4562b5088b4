import Lens
import SQLite
import StoreModel
import Values

extension Rule {
  static let relationshipAcrossZones = Rule(
    """
    Rule: relationship-across-zones
    Severity: error
    Title: Related objects in different record zones
    Shows: A to-one relationship, or a link of a many-to-many relationship, between two objects that both have
      records, in different zones of one database.
    Why: A record can't refer to a record in another zone. Exports fail with NSCocoaErrorDomain 134060, and later
      setups with 134040 or 134060, until all objects of one graph are in one zone.
    Next launch: The next export of these objects fails, and everything else that is pending stays here with them.
    Remedy: \(ZoneSplits.fix)
    Needs: ANSCKRECORDMETADATA, ANSCKRECORDZONEMETADATA
    False positives: None known. Two rows of one zone (reported by 'zone-unexpected'), zones of different databases,
      objects without a record, and records that are flagged for deletion are left out.
    Evidence: App authors report it: https://developer.apple.com/forums/thread/759885
    Message: {count} {relationship crosses|relationships cross} record zones: {what}.
    """
  ) { examination, findings in
    guard let mirror = examination.mirror else { return }
    let splits = try ZoneSplits(mirror)
    for split in try splits.all(limit: 100_000) {
      findings.add(
        object: splits.uri(split.object), subject: "\(split.relationship) \(split.related.primaryKey)",
        [
          "uri": .optional(splits.uri(split.object)), "relationship": .text(split.relationship),
          "zone": .optional(split.zone.name), "reference": .optional(splits.uri(split.related)),
          "relatedZone": .optional(split.relatedZone.name), "what": .text(splits.words(split)),
        ])
    }
  }

  static let objectNotRegistered = Rule(
    """
    Rule: object-not-registered
    Severity: warning
    Title: Objects unknown to the mirror
    Shows: An object of a mirrored entity that has no record, and that isn't in unprocessed history either.
    Why: The exporter detects objects through history. An object that was written outside Core Data, or while history
      was off, exists only on this device until the mirror scans for rows without a record. It does that without a
      history token, after a reset, and on request, but not with an ordinary export.
    Next launch: Nothing, unless the exporter is asked to scan for these rows or has no history token; then it
      registers and uploads them.
    Remedy: 'storescope repair STORE register-missing' asks the framework to scan for these rows at the next export
      and upload them. Not if they had records that were deleted, which 'storescope pending STORE' shows: they would
      appear twice on all devices. Restore a backup instead.
    Needs: layout, ANSCKRECORDMETADATA
    False positives: No table lists the mirrored entities: they are inferred from records, configurations and history.
      Entities for which that isn't possible are left out. A shared database's exporter doesn't scan for these rows.
    Evidence: App authors report rows inserted with SQL that arrived on other devices only after such a scan; Apple
      documents that changes are found through history:
      https://developer.apple.com/documentation/coredata/mirroring-a-core-data-store-with-cloudkit
    Message: {count} mirrored {object has|objects have} no CloudKit record.
    """
  ) { examination, findings in
    guard let mirror = examination.mirror else { return }
    if try mirror.token.state == .missing, try mirror.recordCount() == 0 {
      throw StoreScopeError(
        .lacking,
        "The mirror has no records and no history token yet: the first export will register all objects")
    }
    try mirror.forEachUnregisteredObject { object in
      let entity = examination.store.entityName(ofNumber: object.entity)
      findings.add(
        object: ObjectURI.text(
          storeUUID: examination.store.uuid, entity: entity, primaryKey: object.primaryKey),
        [
          "entity": .text(entity), "pk": .integer(object.primaryKey),
        ])
    }
  }

  static let linkBroken = Rule(
    """
    Rule: link-broken
    Severity: warning
    Title: Broken many-to-many links
    Shows: A link between two objects if one of them has no record, or if the model doesn't have its entity or
      relationship.
    Why: The mirror uploads each pair of a many-to-many relationship as a separate record. A pair without both ends
      can't be shown anywhere, and imports may look for the missing end again and again.
    Next launch: Setup removes links whose entity or relationship the model lacks. The others stay, and an export may
      upload them.
    Remedy: 'storescope resync STORE --pull' makes the next launch fetch every zone again, including missing ends. If
      an entity is no longer mirrored, 'storescope repair STORE detach-entity --entity E' removes its links.
    Needs: ANSCKMIRROREDRELATIONSHIP, ANSCKRECORDMETADATA
    False positives: Links that are pending for an object which isn't here yet, or that are flagged for deletion, are
      left out ('link-stuck' checks them). Relationships are compared only if the store's model can be read.
    Evidence: App authors report imports that loop over thousands of links without objects.
    Message: {count} many-to-many {link is|links are} broken; the first is of {entity}.{relationship}: {problem}.
    """
  ) { examination, findings in
    var model = LinkModel(examination.store)
    try examination.store.connection.forEachRow(
      """
      SELECT links.row, recordName, zone, entity, objectRecord, relationship, relatedEntity, relatedRecord,
        objectKnown, relatedKnown
      FROM links WHERE NOT isPending AND NOT needsDelete ORDER BY links.row
      """
    ) { row in
      let entity = row.optionalText(3)
      let relationship = row.optionalText(5)
      let related = row.optionalText(6)
      let problem: String? =
        if let lack = model.lack(entity: entity, relationship: relationship, related: related) {
          lack
        } else if row.integer(8) == 0 {
          "the object's record is unknown"
        } else if row.integer(9) == 0 {
          "the related object's record is unknown"
        } else {
          nil
        }
      guard let problem else { return }
      findings.add(
        subject: row.optionalText(1) ?? "row \(row.integer(0))",
        [
          "recordName": .optional(row.optionalText(1)), "zone": .optional(row.optionalText(2)),
          "entity": .optional(entity), "objectRecord": .optional(row.optionalText(4)),
          "relationship": .optional(relationship), "relatedEntity": .optional(related),
          "relatedRecord": .optional(row.optionalText(7)), "problem": .text(problem),
        ])
    }
  }
}

/// The entities and relationships that links may refer to. A few kinds of links repeat very often, so results are cached per kind.
private struct LinkModel {
  private struct Kind: Hashable {
    var entity: String
    var relationship: String
    var related: String
  }

  /// More many-to-many relationships than any model has; beyond that, kinds aren't cached.
  private static let limit = 10_000

  private let schema: StoreSchema
  private var known: [Kind: String?] = [:]

  init(_ store: CoreDataStore) { schema = store.schema }

  /// What the model lacks for such a link; nil if it lacks nothing.
  mutating func lack(entity: String?, relationship: String?, related: String?) -> String? {
    guard let entity, let relationship, let related else { return "it has no entity or relationship" }
    let kind = Kind(entity: entity, relationship: relationship, related: related)
    if let lack = known[kind] { return lack }
    let lack = lack(of: kind)
    if known.count < Self.limit { known[kind] = .some(lack) }
    return lack
  }

  /// Without the names, which other cells have: they may be values, and a sentence can't hide them.
  private func lack(of kind: Kind) -> String? {
    guard let entity = schema[kind.entity] else { return "the model has no such entity" }
    guard schema[kind.related] != nil else { return "the model has no such related entity" }
    guard schema.isGuessed || entity.relationships.contains(where: { $0.name == kind.relationship }) else {
      return "its entity has no such relationship"
    }
    return nil
  }
}

extension Rule {
  static let importRelationshipStuck = Rule(
    """
    Rule: import-relationship-stuck
    Severity: warning
    Title: Imported relationships whose target never arrived
    Shows: A relationship that an import couldn't set because its target object wasn't here, and that is still pending
      long after.
    Why: The object is here without its related object: for example, an item without its list. Each import looks for
      the missing targets again, which takes time if there are many.
    Next launch: Imports retry it; without the missing object nothing changes.
    Remedy: 'storescope resync STORE --pull' makes the next launch fetch every zone again. If the target was deleted
      permanently, 'storescope repair STORE clear-import-leftovers' removes the pending relationships and fetches
      again.
    Needs: ANSCKIMPORTPENDINGRELATIONSHIP
    False positives: The target may still be pending on the device that created it. Relationships from an import
      within the last day are left out; without the import's date their age isn't known, and they are listed.
    Evidence: App authors report the table and the rows that stay in it.
    Message: {count} imported {relationship is|relationships are} missing an object that never arrived; the first is
      {entity}.{relationship}.
    Param days: days between the import and the newest timestamp in the store; the rest of an import follows within
      minutes or hours, default 1
    """
  ) { examination, findings in
    guard let mirror = examination.mirror, let view = mirror.views.importedRelationships else { return }
    let names = ["entity", "recordName", "zone", "relationship", "relatedEntity", "relatedRecord"]
    let days = examination.setting("days", of: findings.header)
    try examination.store.connection.forEachRow(
      view.select(["imported"] + names + ["row"], "ORDER BY \"row\"")
    ) { row in
      let imported = row.optionalReal(0).map(CoreDataDate.init(seconds:))
      let age = Age(imported, examination.clock).days
      if let age, age < days { return }
      let texts = (1..<7).map { DataValue.optional(row.optionalText($0)) }
      findings.add(
        subject: (1..<7).map(row.text).joined(separator: "\u{1}"),
        [
          "entity": texts[0], "recordName": texts[1], "zone": texts[2], "relationship": texts[3],
          "relatedEntity": texts[4], "relatedRecord": texts[5], "imported": .optional(imported),
          "days": age.map { .real(($0 * 10).rounded() / 10) } ?? .null,
        ])
    }
  }
}
