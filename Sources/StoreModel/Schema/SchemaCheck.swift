import SQLite

/// Compares a prediction with the tables of a store.
struct SchemaCheck {
  let schema: StoreSchema
  let discrepancies: [SchemaDiscrepancy]

  init(_ prediction: SchemaPrediction, against catalog: TableCatalog) {
    let columns = catalog.tables.mapValues { Set($0.map(\.name)) }
    var discrepancies: [SchemaDiscrepancy] = []
    var joins: [JoinTableNaming.Side: SchemaRelationship.Storage] = [:]
    var expected: [String: Set<String>] = [:]
    for table in prediction.tables.prefix(prediction.tables.count - prediction.joinTables.tables.count) {
      expected[table.name, default: []].formUnion(table.columns.map(\.name))
      let entity = prediction.schema.entities.first { $0.table == table.name }?.name
      guard let real = columns[table.name] else {
        discrepancies.append(SchemaDiscrepancy(.missingTable, table: table.name, entity: entity))
        continue
      }
      for column in table.columns where !real.contains(column.name) {
        discrepancies.append(
          SchemaDiscrepancy(
            .missingColumn, table: table.name, column: column.name, entity: column.entity ?? entity,
            property: column.property))
      }
    }
    for join in prediction.joinTables.tables {
      let search = JoinTableSearch(join)
      let entity = prediction.schema[join.naming.entity]?.name
      guard let table = search.table(among: columns) else {
        discrepancies.append(
          SchemaDiscrepancy(
            .missingTable, table: join.name, entity: entity, property: join.naming.relationship))
        continue
      }
      let (found, missing) = search.columns(of: table, columns[table] ?? [])
      expected[table, default: []].formUnion(found?.columns ?? [])
      for column in missing {
        discrepancies.append(
          SchemaDiscrepancy(
            .missingColumn, table: table, column: column, entity: entity, property: join.naming.relationship))
      }
      guard let found else { continue }
      for side in [join.naming, join.other] { joins[side] = found.storage(for: side) }
    }
    for table in catalog.modelTables {
      guard let known = expected[table] else {
        discrepancies.append(SchemaDiscrepancy(.unexpectedTable, table: table))
        continue
      }
      for column in catalog.columns(of: table) where !known.contains(column.name) {
        discrepancies.append(SchemaDiscrepancy(.unexpectedColumn, table: table, column: column.name))
      }
    }
    self.discrepancies = discrepancies
    let keeper = StorageFilter(columns: columns, joins: joins)
    schema = StoreSchema(entities: prediction.schema.entities.map(keeper.keepingWhatExists))
  }
}

/// Takes from a predicted entity what the tables lack.
private struct StorageFilter {
  let columns: [String: Set<String>]
  let joins: [JoinTableNaming.Side: SchemaRelationship.Storage]

  func keepingWhatExists(_ entity: SchemaEntity) -> SchemaEntity {
    var entity = entity
    for index in entity.attributes.indices { keep(&entity.attributes[index], in: entity.table) }
    for index in entity.relationships.indices {
      let relationship = entity.relationships[index]
      entity.relationships[index].storage = storage(of: relationship, in: entity.table)
    }
    return entity
  }

  private func existing(_ column: String?, in table: String) -> String? {
    guard let column, columns[table]?.contains(column) ?? false else { return nil }
    return column
  }

  private func keep(_ attribute: inout SchemaAttribute, in table: String) {
    attribute.column = existing(attribute.column, in: table)
    for index in attribute.elements.indices { keep(&attribute.elements[index], in: table) }
  }

  private func storage(of relationship: SchemaRelationship, in table: String) -> SchemaRelationship.Storage {
    switch relationship.predicted {
    case .none: return .none
    case .toOne(let column, let entityColumn, let orderColumn):
      guard let column = existing(column, in: table) else { return .none }
      return .toOne(
        column: column, entityColumn: existing(entityColumn, in: table),
        orderColumn: existing(orderColumn, in: table))
    case .toMany(let far, let column, let entityColumn, let orderColumn, let isVirtual):
      guard let column = existing(column, in: far) else { return .none }
      return .toMany(
        table: far, column: column, entityColumn: existing(entityColumn, in: far),
        orderColumn: existing(orderColumn, in: far), isVirtual: isVirtual)
    case .join:
      return joins[.init(entity: relationship.declaredBy, relationship: relationship.name)] ?? .none
    }
  }
}
