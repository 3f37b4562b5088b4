import SQLite

extension CoreDataStore {
  /// The SQL that numbers an entity again and counts its keys from the highest one in use, as far as the store shows it;
  /// nil if the entity's name and number are guessed.
  package func counterCreation(of entity: SchemaEntity) -> String? {
    guard !schema.isGuessed else { return nil }
    let parent = entity.parent.flatMap { schema[$0] }
    guard parent == nil, tables.has(entity.table) else {
      return Self.counterCreation(entity.number, entity.name, parent: parent?.number ?? 0, "0")
    }
    return Self.counterCreation(
      entity.number, entity.name, parent: 0, "(SELECT COALESCE(MAX(pk), 0) FROM (\(keysInUse(of: entity))))")
  }

  /// SQL for the highest keys, as `pk`, that a root entity's rows have, that history has, and that the mirror has
  /// records of: given again, a deleted object's key would stand for the new one.
  package func keysInUse(of root: SchemaEntity) -> String {
    let numbers = "BETWEEN \(root.subtree.lowerBound) AND \(root.subtree.upperBound)"
    var queries = ["SELECT MAX(Z_PK) AS pk FROM main.\(quotedIdentifier(root.table)) WHERE 1"]
    for (table, column) in [("ACHANGE", "ZENTITY"), ("ANSCKRECORDMETADATA", "ZENTITYID")]
    where Set(tables.columns(of: table).map(\.name)).isSuperset(of: [column, "ZENTITYPK"]) {
      queries.append("SELECT MAX(ZENTITYPK) AS pk FROM main.\(table) WHERE \(column) \(numbers)")
    }
    return queries.joined(separator: " UNION ALL ")
  }

  /// The same for an entity of the framework's, whose rows have that number.
  package static func counterCreation(number: Int64, _ name: String, table: String) -> String {
    counterCreation(
      number, name, parent: 0, "(SELECT COALESCE(MAX(Z_PK), 0) FROM \(quotedIdentifier(table)))")
  }

  private static func counterCreation(
    _ number: Int64, _ name: String, parent: Int64, _ highest: String
  ) -> String {
    let text = name.replacing("'", with: "''")
    return
      "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (\(number), '\(text)', \(parent), \(highest));"
  }

  /// The number of the entity that a table's rows have; nil if it has no row.
  package func entityNumber(in table: String) throws -> Int64? {
    try connection.first("SELECT Z_ENT FROM main.\(quotedIdentifier(table)) LIMIT 1") {
      $0.optionalInteger(0)
    }
    .flatMap(\.self)
  }

  /// The table itself, as Core Data makes it.
  package static let counterTableCreation =
    "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);"
}
