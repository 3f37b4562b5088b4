import SQLite
import StoreModel
import Values

extension Rule {
  static let objectIDAboveMax = Rule(about) { examination, findings in
    for root in try KeyCounter.all(examination.store) where root.highestKey > root.lastKey {
      findings.add(
        subject: root.entity,
        [
          .init("entity", .text(root.entity)), .init("table", .text(root.table)),
          .init("highestKey", .integer(root.highestKey)), .init("lastKey", .integer(root.lastKey)),
        ])
    }
  }
}

private let about = RuleHeader(
  "object-id-above-max", .error,
  title: "Keys above the highest one that was handed out",
  looksFor: """
    An entity whose highest Z_PK is above the Z_MAX that Z_PRIMARYKEY keeps for the root of its hierarchy; \
    history's and the mirror's own entities too.
    """,
  why: """
    Core Data takes the next key from Z_MAX and counts on. It will hand out keys that rows already have, and the \
    save fails with a UNIQUE constraint.
    """,
  nextLaunch: """
    Saves with new objects of the entity fail until the counter has passed the highest key; where it is an entity \
    of history, every save fails.
    """,
  remedy: """
    Quit the app, and run 'storescope repair STORE raise-max'. Find out what wrote rows outside Core Data, \
    or put back only a part of the store's files.
    """,
  falsePositives: """
    None known. Only roots of hierarchies are compared, as sub-entities keep no count of their own; entities of \
    the framework that Z_PRIMARYKEY doesn't list are left out.
    """,
  evidence: "Measured on real stores, of which none has this; app authors report the failing saves.",
  message: """
    The highest key in use is above the highest one handed out for {count} {entity|entities}: {entity} has \
    {highestKey}, handed out {lastKey}.
    """)
