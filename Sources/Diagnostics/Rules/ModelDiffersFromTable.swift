import StoreModel
import Values

extension Rule {
  static let modelDiffersFromTable = Rule(about) { examination, findings in
    let uncounted = Set(examination.store.uncountedEntities.map(\.name))
    let found = examination.store.discrepancies.filter { found in
      found.kind != .staleEntityName
        && !(found.kind == .entityWithoutNumber && found.entity.map(uncounted.contains) ?? false)
    }
    let worst = found.filter(\.kind.breaksFetches)
    if worst.isEmpty { findings.severity = .warning }
    if let creation = SchemaDiscrepancy.creation(worst.flatMap(examination.store.creation), atMost: 5) {
      findings.remedy = "\(about.remedy) \(creation)"
    }
    for discrepancy in worst + found.filter({ !$0.kind.breaksFetches }) {
      let text = discrepancy.description
      findings.add(
        subject: text,
        [
          .init("kind", .text(discrepancy.kind.rawValue)), .init("table", .optional(discrepancy.table)),
          .init("column", .optional(discrepancy.column)), .init("entity", .optional(discrepancy.entity)),
          .init("property", .optional(discrepancy.property)), .init("difference", .text(text)),
        ])
    }
  }
}

private let about = RuleHeader(
  """
  Rule: model-differs-from-table
  Severity: error
  Title: Tables that differ from the model
  Shows: Tables and columns that the model needs but the store lacks, tables and columns that the store has but the
    model doesn't need, and entities that have different numbers in the model and in Z_PRIMARYKEY.
  Why: Fetches request every column of an entity. A missing column makes all fetches fail; an additional column is
    data that no app reads anymore.
  Next launch: With a missing column or table, the app gets NSCocoaErrorDomain 256 with NSSQLiteErrorDomain 1 ("no
    such column" or "no such table") as soon as it reads the entity, because the model's hashes match and no
    migration runs.
  Remedy: Check with '--model PATH' that the right model is compared. Then find out what altered the tables outside
    Core Data, or restore a backup; unexpected columns are harmless.
  Needs: model
  False positives: A model given with --model that belongs to another store. The app's own tables whose names begin
    with Z look like Core Data's.
  Evidence: Measured on real stores: tables and columns of 132 of 133 match their models exactly, and the last has
    only a stale name.
  Message: {count} {difference|differences} between the model and the tables: {difference}.
  """)
