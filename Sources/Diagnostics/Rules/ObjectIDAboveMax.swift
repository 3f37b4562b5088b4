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
  """
  Rule: object-id-above-max
  Severity: error
  Title: Keys above the highest assigned key
  Shows: An entity whose highest Z_PK is above the Z_MAX that Z_PRIMARYKEY keeps for the root of its hierarchy;
    history's and the mirror's entities are checked too.
  Why: Core Data assigns keys counting up from Z_MAX. It will assign keys that rows already have, and the save fails
    with a UNIQUE constraint.
  Next launch: Saves with new objects of the entity fail until the counter has passed the highest key; if it is an
    entity of history, every save fails.
  Remedy: Quit the app, and run 'storescope repair STORE raise-max'. Find out what wrote rows outside Core Data, or
    restored only some of the store's files.
  False positives: None known. Only roots of hierarchies are compared, because sub-entities have no counter of their
    own; framework entities that aren't in Z_PRIMARYKEY are left out.
  Evidence: Measured on real stores, none of which has this; app authors report the failing saves.
  Message: The highest key in use is above the highest assigned key for {count} {entity|entities}: {entity} uses
    {highestKey}, but the last assigned key is {lastKey}.
  """)
