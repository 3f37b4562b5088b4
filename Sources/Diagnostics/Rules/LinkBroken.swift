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

/// What links may name. Few kinds of links repeat very often, so what is known of a kind is kept.
private struct LinkModel {
  private struct Kind: Hashable {
    var entity: String
    var relationship: String
    var related: String
  }

  /// More than any model has many-to-many relationships; beyond it kinds are worked out each time.
  private static let limit = 10_000

  private let schema: StoreSchema
  private var known: [Kind: String?] = [:]

  init(_ store: CoreDataStore) { schema = store.schema }

  /// What the model lacks for such a link; nil where it has all of it.
  mutating func lack(entity: String?, relationship: String?, related: String?) -> String? {
    guard let entity, let relationship, let related else { return "it names no entity or relationship" }
    let kind = Kind(entity: entity, relationship: relationship, related: related)
    if let lack = known[kind] { return lack }
    let lack = lack(of: kind)
    if known.count < Self.limit { known[kind] = .some(lack) }
    return lack
  }

  private func lack(of kind: Kind) -> String? {
    guard let entity = schema[kind.entity] else { return "the model has no entity \(kind.entity)" }
    guard schema[kind.related] != nil else { return "the model has no entity \(kind.related)" }
    guard schema.isGuessed || entity.relationships.contains(where: { $0.name == kind.relationship }) else {
      return "\(kind.entity) has no relationship \(kind.relationship)"
    }
    return nil
  }
}

private let about = RuleHeader(
  "link-broken", .warning,
  title: "Many-to-many links that lead nowhere",
  looksFor: """
    A link between two objects of which one has no record, or of an entity or relationship that the model doesn't \
    have.
    """,
  why: """
    The mirror sends each pair of a many-to-many relationship as a record of its own. A pair without both ends \
    can't be shown anywhere, and imports may look for the missing end again and again.
    """,
  nextLaunch: """
    Setup drops links whose entity or relationship the model lacks. The others stay, and an export may send them.
    """,
  remedy: """
    'storescope resync STORE --pull' lets the next launch fetch every zone again, and with it a missing end. Where \
    an entity is no longer mirrored, 'storescope repair STORE detach-entity --entity E' drops its links.
    """,
  needs: [.table(.links), .table(.records)],
  falsePositives: """
    Links that wait for an object which isn't here yet, or that are flagged for deletion, are left out \
    ('link-stuck' looks at them). Relationships are compared only where the store's model can be read.
    """,
  evidence: "App authors report imports that loop over thousands of links without objects.",
  message: """
    {count} many-to-many {link leads|links lead} nowhere, the first of {entity}.{relationship}: {problem}.
    """)
