import StoreModel
import Values

extension Rule {
  static let modelDiffersFromTable = Rule(about) { examination, findings in
    for discrepancy in examination.store.discrepancies where discrepancy.kind != .staleEntityName {
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
  "model-differs-from-table", .warning,
  title: "Tables that aren't what the model makes",
  looksFor: """
    Tables and columns that Core Data would make for the model and the store lacks, those that it has and the \
    model doesn't need, and entities that the model and Z_PRIMARYKEY number differently.
    """,
  why: """
    Fetches name every column of an entity. One that is missing makes all of them fail; one too many is data that \
    no app reads any longer.
    """,
  nextLaunch: """
    A missing column or table fails the first fetch with "no such column" or "no such table", as the model's \
    hashes fit and nothing migrates.
    """,
  remedy: """
    Check with '--model PATH' whether the right model is compared. Then find out what altered the tables \
    outside Core Data, or restore a backup; unexpected columns do no harm.
    """,
  needs: [.model],
  falsePositives: """
    A model given by --model that isn't this store's. Tables of the app's own whose names begin with Z look as if \
    they were Core Data's.
    """,
  evidence: """
    Measured on real stores: tables and columns of 132 of 133 are exactly what their models make, and the last has \
    a stale name only.
    """,
  message: "{count} {difference|differences} between the model and the tables: {difference}.")
