import Lens
import SQLite
import StoreModel
import Values

extension Rule {
  static let linkBroken = Rule(about) { examination, findings in
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
          .init("recordName", .optional(row.optionalText(1))), .init("zone", .optional(row.optionalText(2))),
          .init("entity", .optional(entity)), .init("objectRecord", .optional(row.optionalText(4))),
          .init("relationship", .optional(relationship)), .init("relatedEntity", .optional(related)),
          .init("relatedRecord", .optional(row.optionalText(7))), .init("problem", .text(problem)),
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

private let about = RuleHeader(
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
  """)
