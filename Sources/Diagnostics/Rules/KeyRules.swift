import Lens
import SQLite
import StoreModel
import Values

extension Rule {
  static let countersMissing = Rule(
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
    """
  ) { examination, findings in
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
        subject: entity, ["entity": .text(entity), "table": .optional(table), "sql": .optional(sql)])
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
      findings.remedy = "\(findings.header.remedy) Run \(CoreDataStore.counterTableCreation) before it."
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
  fileprivate func uncountedFrameworkTables(_ known: FrameworkTables) throws -> [(String, String, String?)] {
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

extension Rule {
  static let rowEntityUnknown = Rule(
    """
    Rule: row-entity-unknown
    Severity: error
    Title: Rows with a wrong entity number
    Shows: A row of an object whose Z_ENT is NULL, isn't in Z_PRIMARYKEY, or belongs to an entity of another table.
    Why: Every fetch selects rows by entity number, so such a row is never fetched; but its key remains in use, and
      relationships may lead to it.
    Next launch: Nothing: the object is missing from every fetch, and reading it through a relationship finds no
      entity for it.
    Remedy: Set the row's entity number, with sqlite3 on a copy of the store while the app isn't running: 'storescope
      entities STORE' lists the numbers. Find out what wrote the row outside Core Data.
    False positives: None known: in all real stores measured, every row has the number of an entity of its table.
    Evidence: Measured on real stores, which have none.
    Message: {count} {row has an entity number|rows have entity numbers} that {doesn't|don't} belong to {its|their}
      table, the first of them row {pk} of {table}.
    """
  ) { examination, findings in
    let store = examination.store
    for (table, numbers) in ownNumbers(store).sorted(by: { $0.key < $1.key })
    where store.tables.holdsObjects(table) {
      try store.connection.forEachRow(
        """
        SELECT Z_PK, Z_ENT FROM main.\(quotedIdentifier(table))
        WHERE Z_ENT IS NULL OR NOT \(NumberRanges(numbers).condition("Z_ENT"))
        """
      ) { row in
        findings.add(
          subject: "\(table)/\(row.text(0))",
          [
            "table": .text(table), "pk": .integer(row.integer(0)),
            "entityNumber": .optional(row.optionalInteger(1)),
            "entity": .optional(row.optionalInteger(1).flatMap { number in store.schema[number]?.name }),
          ])
      }
    }
  }

  /// By table, the numbers of its entities: those of the schema, and those of Z_PRIMARYKEY that stand below one of them.
  private static func ownNumbers(_ store: CoreDataStore) -> [String: [Int64]] {
    var tables = Dictionary(
      firstOf: store.schema.entities.map { ($0.number, $0.table) })
    // Superentities have the lower numbers.
    for row in store.primaryKeys.user where tables[row.number] == nil {
      if let table = row.parent.flatMap({ tables[$0] }) { tables[row.number] = table }
    }
    return Dictionary(grouping: tables, by: \.value).mapValues { $0.map(\.key) }
  }

  static let objectIDAboveMax = Rule(
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
    """
  ) { examination, findings in
    for root in try KeyCounter.all(examination.store) where root.highestKey > root.lastKey {
      findings.add(
        subject: root.entity,
        [
          "entity": .text(root.entity), "table": .text(root.table), "highestKey": .integer(root.highestKey),
          "lastKey": .integer(root.lastKey),
        ])
    }
  }
}

/// The count of keys that Z_PRIMARYKEY keeps for a root entity, and the highest one in use.
struct KeyCounter {
  var entity: String
  var table: String
  var lastKey: Int64
  var highestKey: Int64

  /// Of the app's entities and of the framework's, in the order of their numbers; one look at the end of each table.
  static func all(_ store: CoreDataStore) throws -> [KeyCounter] {
    var counters: [KeyCounter] = []
    func add(_ row: PrimaryKeyTable.Row, _ name: String, _ table: String) throws {
      guard store.tables.columns(of: table).contains(where: { $0.name == "Z_PK" }) else { return }
      let highest = try store.connection.first("SELECT MAX(Z_PK) FROM main.\(quotedIdentifier(table))") {
        $0.optionalInteger(0)
      }
      guard let highest = highest.flatMap(\.self) else { return }
      counters.append(KeyCounter(entity: name, table: table, lastKey: row.lastKey, highestKey: highest))
    }
    for row in store.primaryKeys.user where row.parent == nil {
      guard let entity = store.schema[row.number], entity.parent == nil else { continue }
      try add(row, entity.name, entity.table)
    }
    // `CHANGE` lies in ACHANGE, `NSCKRecordMetadata` in ANSCKRECORDMETADATA.
    for row in store.primaryKeys.framework where row.parent == nil {
      try add(row, row.name, "A" + row.name.uppercased())
    }
    return counters
  }
}
