import Base
import Lens
import SQLite
import StoreModel

extension Rule {
  static let relationshipAcrossZones = Rule(
    "relationship-across-zones"
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
    "object-not-registered"
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
    "link-broken"
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
    "import-relationship-stuck"
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
