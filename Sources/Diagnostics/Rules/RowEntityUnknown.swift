import SQLite
import StoreModel
import Values

extension Rule {
  static let rowEntityUnknown = Rule(about) { examination, findings in
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
            .init("table", .text(table)), .init("pk", .integer(row.integer(0))),
            .init("entityNumber", .optional(row.optionalInteger(1))),
            .init(
              "entity",
              .optional(row.optionalInteger(1).flatMap { number in store.schema[number]?.name })),
          ])
      }
    }
  }

  /// By table, the numbers of its entities: those of the schema, and those of Z_PRIMARYKEY that stand below one of them.
  private static func ownNumbers(_ store: CoreDataStore) -> [String: [Int64]] {
    var tables = Dictionary(
      store.schema.entities.map { ($0.number, $0.table) }, uniquingKeysWith: { first, _ in first })
    // Superentities have the lower numbers.
    for row in store.primaryKeys.user where tables[row.number] == nil {
      if let table = row.parent.flatMap({ tables[$0] }) { tables[row.number] = table }
    }
    return Dictionary(grouping: tables, by: \.value).mapValues { $0.map(\.key) }
  }
}

private let about = RuleHeader(
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
  """)
