import SQLite

/// A schema for a store without a model: entities from Z_PRIMARYKEY, or else from the tables, and properties
/// guessed from columns. Property names come out in lower case, sub-entities get all columns of their table,
/// and foreign keys are known only where another column or a join table gives them away.
package enum TablesOnlySchema {
  /// What is returned says of itself that it is guessed.
  package static func build(primaryKeys: PrimaryKeyTable, tables: TableCatalog) -> StoreSchema {
    let rows = primaryKeys.user.isEmpty ? rows(from: tables) : primaryKeys.user
    let hierarchy = GuessedHierarchy(rows)
    let joins = GuessedJoinTable.all(in: tables, numbers: Set(rows.map(\.number)))
    let byFolded = Dictionary(
      tables.modelTables.map { ($0.uppercased(), $0) }, uniquingKeysWith: { first, _ in first })
    var properties: [String: GuessedProperties] = [:]
    let entities = rows.map { row in
      let root = hierarchy.root(of: row.number)
      let name = "Z" + (hierarchy.name(of: root) ?? row.name).uppercased()
      let table = byFolded[name] ?? name
      let found = properties[table] ?? GuessedProperties(tables.columns(of: table), hierarchy: hierarchy)
      properties[table] = found
      return entity(row, hierarchy, table: table, found, joins: joins)
    }
    return StoreSchema(entities: entities, isGuessed: true)
  }

  private static func entity(
    _ row: PrimaryKeyTable.Row, _ hierarchy: GuessedHierarchy, table: String, _ found: GuessedProperties,
    joins: [GuessedJoinTable]
  ) -> SchemaEntity {
    let root = hierarchy.root(of: row.number)
    let isInherited = root != row.number
    let lineage = hierarchy.lineage(of: row.number)
    var names = NamePool(taken: Set(found.attributes.map(\.lowercasedName) + found.keys.map(\.name)))
    var relationships = found.keys.map { key in
      SchemaRelationship(
        description: RelationshipDescription(
          name: key.name, destination: hierarchy.name(of: key.destination) ?? ""),
        destination: key.destination,
        storage: .toOne(column: key.column, entityColumn: key.entityColumn, orderColumn: key.orderColumn),
        isInherited: isInherited, declaredBy: root)
    }
    for join in joins {
      for side in join.sides where lineage.contains(side.owner) {
        relationships.append(
          SchemaRelationship(
            description: RelationshipDescription(
              name: names.unique(side.name), destination: hierarchy.name(of: side.destination) ?? "",
              isToMany: true, isOrdered: side.orderColumn != nil),
            destination: side.destination,
            storage: .join(
              table: join.table, ownColumn: side.ownColumn, otherColumn: side.otherColumn,
              orderColumn: side.orderColumn),
            isInherited: side.owner != row.number, declaredBy: side.owner))
      }
    }
    return SchemaEntity(
      number: row.number, name: row.name, parent: hierarchy.parent(of: row.number), root: root,
      subtree: hierarchy.subtree(of: row.number), table: table,
      attributes: found.attributes.map { column in
        SchemaAttribute(
          description: AttributeDescription(name: column.lowercasedName, type: column.attributeType),
          path: column.lowercasedName, column: column.name, isInherited: isInherited, declaredBy: root)
      },
      relationships: relationships.sorted { $0.name < $1.name })
  }

  /// Without Z_PRIMARYKEY each table of objects counts as one entity. Its number is the one that the numbering
  /// rule gives where no entity has sub-entities.
  private static func rows(from tables: TableCatalog) -> [PrimaryKeyTable.Row] {
    let objects = tables.modelTables.filter(tables.holdsObjects)
    return objects.enumerated().map { index, table in
      let name = table.dropFirst()
      return PrimaryKeyTable.Row(
        number: Int64(index) + 1, name: name.prefix(1).uppercased() + name.dropFirst().lowercased(),
        parent: nil,
        lastKey: 0)
    }
  }
}
