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
  """)
