import Lens
import StoreModel
import Values

extension Rule {
  static let countersMissing = Rule(about) { examination, findings in
    let store = examination.store
    // Where Z_PRIMARYKEY can't be read, nothing can be written to it either.
    let isReadable = store.primaryKeys.damage == nil
    let uncounted =
      store.uncountedEntities.map { ($0.name, $0.table, isReadable ? store.counterCreation(of: $0) : nil) }
      + store.unknownEntities.map { ($0, nil, nil) }
      + (try store.uncountedFrameworkTables(examination.tables))
    guard let first = uncounted.first else { return }
    for (entity, table, sql) in uncounted as [(String, String?, String?)] {
      findings.add(
        subject: entity,
        [.init("entity", .text(entity)), .init("table", .optional(table)), .init("sql", .optional(sql))])
    }
    let others = uncounted.count - 1
    let entities =
      others == 0
      ? first.0 : "\(first.0) and \(Sentence.count(others, "more entity", "more entities"))"
    findings.ofAll = [
      .init(
        "what",
        .text(
          store.countersProblem.map { "\($0): no key counter is left" }
            ?? "Z_PRIMARYKEY has no row for \(entities)"))
    ]
    if store.countersProblem?.hasPrefix("There is no table") ?? false {
      findings.remedy = "\(about.remedy) Run \(CoreDataStore.counterTableCreation) before it."
    }
  }
}

extension CoreDataStore {
  /// Entities of the version hashes that neither a model nor Z_PRIMARYKEY has.
  fileprivate var unknownEntities: [String] {
    guard model == nil, countersProblem == nil else { return [] }
    return Set(metadata.versionHashes.keys).subtracting(primaryKeys.user.map(\.name)).sorted()
  }

  /// Tables of the framework's with rows whose entity Z_PRIMARYKEY lacks: it has none for history that was never used.
  fileprivate func uncountedFrameworkTables(
    _ known: FrameworkTables
  ) throws -> [(String, String, String?)] {
    let counted = Set(primaryKeys.framework.map(\.number))
    return try FrameworkTable.allCases.filter { known.has($0) && tables.holdsObjects($0.rawValue) }
      .compactMap { table in
        guard let number = try entityNumber(in: table.rawValue), !counted.contains(number)
        else { return nil }
        return (
          table.entity, table.rawValue,
          CoreDataStore.counterCreation(number: number, table.entity, table: table.rawValue)
        )
      }
  }
}

private let about = RuleHeader(
  """
  Rule: counters-missing
  Severity: error
  Title: Entities without a key counter
  Shows: A Z_PRIMARYKEY that is missing, empty or unreadable; an entity of the store's own model that has no row in
    it; and rows of history or of the mirror whose entity has none.
  Why: Core Data takes the number of each entity and the key of each new row from Z_PRIMARYKEY. Without a row there,
    it has neither.
  Next launch: The app crashes at its first insert of such an entity, or assigns keys again that deleted objects
    had; links, history and the mirror then mean other objects.
  Remedy: Restore a backup. Without one: quit the app, and run the 'sql' of each finding ('--verbose' lists them)
    with sqlite3 on a copy of the store. It counts on from the highest key that rows, history and the mirror's
    records show.
  False positives: None known: in all real stores measured, Z_PRIMARYKEY has a row for every entity that the store's
    version hashes list. With '--model PATH', only entities that these list are considered.
  Evidence: Measured on real stores, none of which has this; app authors report crashes with "invalid primary key".
  Message: {what}, so the app crashes at its first insert, and old keys may be assigned again.
  """)
