import Base

/// What a model amounts to in tables by Core Data's naming rules, before any store is looked at.
package struct SchemaPrediction: Sendable {
  package let schema: StoreSchema
  /// Tables of entities in the order of their numbers, then join tables.
  package let tables: [PredictedTable]
  let joinTables: JoinTableNaming

  /// - Parameter numbering: by rule where none is given.
  package init(_ model: ManagedObjectModel, _ numbering: EntityNumbering? = nil) {
    let numbering = numbering ?? EntityNumbering(model: model)
    let graph = RelationshipGraph(model, numbering)
    let naming = SchemaNaming(graph: graph)
    var tableNames = NamePool()
    var tableOf: [Int64: String] = [:]
    for entry in numbering.entries where entry.number == entry.root {
      tableOf[entry.number] = tableNames.unique("Z" + entry.name.uppercased())
    }
    let joins = JoinTableNaming(naming, besides: Set(tableOf.values))
    let placer = RelationshipPlacer(
      naming: naming, joins: joins,
      tableOf: Dictionary(firstOf: numbering.entries.map { ($0.number, tableOf[$0.root] ?? "") }))

    var entities: [Int64: SchemaEntity] = [:]
    for entry in numbering.entries {
      let superentity = entry.parent.flatMap { entities[$0] }
      let names = naming.names[entry.number] ?? SchemaNaming.Names()
      let description = graph.entity(entry.number)
      entities[entry.number] = SchemaEntity(
        number: entry.number, name: entry.name, staleName: entry.staleName, parent: entry.parent,
        root: entry.root, subtree: entry.subtree, isAbstract: description?.isAbstract ?? false,
        table: tableOf[entry.root] ?? "",
        attributes: (superentity?.attributes ?? []).map(\.inherited) + names.attributes,
        relationships: (superentity?.relationships ?? []).map(\.inherited)
          + placer.relationships(of: description, number: entry.number),
        virtualToOnes: (superentity?.virtualToOnes ?? []) + names.virtualToOnes, description: description)
    }
    schema = StoreSchema(entities: Array(entities.values))
    tables =
      TableLayout(naming, tableOf: tableOf).tables + joins.tables.map(PredictedTable.init)
    joinTables = joins
  }
}

/// Finds where the links of an entity's own relationships lie.
private struct RelationshipPlacer {
  let naming: SchemaNaming
  let joins: JoinTableNaming
  let tableOf: [Int64: String]

  func relationships(of entity: EntityDescription?, number: Int64) -> [SchemaRelationship] {
    (entity?.relationships ?? []).map { relationship in
      SchemaRelationship(
        description: relationship, destination: naming.graph.numbering[relationship.destination]?.number ?? 0,
        storage: storage(of: relationship, declaredBy: number), declaredBy: number)
    }
  }

  private func storage(of relationship: RelationshipDescription, declaredBy number: Int64)
    -> SchemaRelationship.Storage
  {
    switch naming.graph.kind(of: relationship) {
    case .none: return .none
    case .toOne:
      guard let key = naming.names[number]?.keys[relationship.name] else { return .none }
      return .toOne(column: key.column, entityColumn: key.entityColumn, orderColumn: key.orderColumn)
    case .toMany(let declaredBy, let inverse):
      guard let key = naming.names[declaredBy]?.keys[inverse.name] else { return .none }
      return .toMany(
        table: tableOf[declaredBy] ?? "", column: key.column, entityColumn: key.entityColumn,
        orderColumn: key.orderColumn, isVirtual: false)
    case .toManyWithoutInverse(let destination):
      let keys = naming.names[destination]?.virtualToOnes ?? []
      guard let key = keys.first(where: { $0.owner == number && $0.relationship == relationship.name })
      else { return .none }
      return .toMany(
        table: tableOf[destination] ?? "", column: key.column, entityColumn: key.entityColumn,
        orderColumn: key.orderColumn, isVirtual: true)
    case .manyToMany:
      let side = JoinTableNaming.Side(entity: number, relationship: relationship.name)
      return joins[side]?.storage(for: side) ?? .none
    }
  }
}

extension SchemaAttribute {
  fileprivate var inherited: SchemaAttribute {
    var copy = self
    copy.isInherited = true
    return copy
  }
}

extension SchemaRelationship {
  fileprivate var inherited: SchemaRelationship {
    var copy = self
    copy.isInherited = true
    return copy
  }
}
