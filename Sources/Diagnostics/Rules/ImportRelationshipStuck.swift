import Lens
import SQLite
import StoreModel
import Values

extension Rule {
  static let importRelationshipStuck = Rule(about) { examination, findings in
    guard let mirror = examination.mirror, let view = mirror.views.importedRelationships else { return }
    let names = ["entity", "recordName", "zone", "relationship", "relatedEntity", "relatedRecord"]
    let days = examination.setting("days", of: about)
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
          .init("entity", texts[0]), .init("recordName", texts[1]), .init("zone", texts[2]),
          .init("relationship", texts[3]), .init("relatedEntity", texts[4]),
          .init("relatedRecord", texts[5]), .init("imported", .optional(imported)),
          .init("days", age.map { .real(($0 * 10).rounded() / 10) } ?? .null),
        ])
    }
  }
}

private let about = RuleHeader(
  "import-relationship-stuck", .warning,
  title: "Imported relationships whose target never came",
  looksFor: """
    A relationship that an import couldn't set, because the object it leads to wasn't here, and that still waits \
    long after.
    """,
  why: """
    The object is here without what it belongs to: an item without its list, for instance. Each import looks for \
    the missing targets again, which takes time where there are many.
    """,
  nextLaunch: "Imports try again; without the missing object nothing changes.",
  remedy: """
    'storescope resync STORE --pull' lets the next launch fetch every zone again. Where the target was deleted for \
    good, 'storescope repair STORE clear-import-leftovers' drops what waits and fetches once more.
    """,
  needs: [.table(.pendingRelationships)],
  falsePositives: """
    The target may still wait on the device that made it. What an import of the last day left is left out; without \
    its import's date nothing tells the age, and it is listed.
    """,
  evidence: "App authors report the table and what stays in it.",
  message: """
    {count} imported {relationship waits|relationships wait} for an object that never came, the first \
    {entity}.{relationship}.
    """,
  thresholds: [
    Threshold(
      "days", 1,
      """
      days between the import and the newest timestamp in the store; the rest of an import follows within \
      minutes or hours
      """)
  ])
