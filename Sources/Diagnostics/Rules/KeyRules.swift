import Base
import Lens
import SQLite
import StoreModel

extension Rule {
  private static let remedyOfDamagedCounters = """
    Restore a backup. Without one: rebuild a copy with sqlite3's '.recover', and run 'storescope doctor' on that: it has \
    the SQL that brings back what is still missing there.
    """

  static let countersMissing = Rule(
    "counters-missing"
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
    if !isReadable { findings.remedy = remedyOfDamagedCounters }
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
    "row-entity-unknown"
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
    "object-id-above-max"
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
