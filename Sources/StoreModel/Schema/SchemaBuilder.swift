import SQLite

/// Works out where a model's properties lie in a store.
package enum SchemaBuilder {
  /// The schema by the naming rules, checked against the store's tables. Where they differ the table is right:
  /// what it lacks has no column and no storage.
  package static func build(
    model: ManagedObjectModel, primaryKeys: PrimaryKeyTable, tables: TableCatalog
  ) -> (schema: StoreSchema, discrepancies: [SchemaDiscrepancy]) {
    let joined = numbering(of: model, primaryKeys)
    let check = SchemaCheck(SchemaPrediction(model, joined.0), against: tables)
    return (check.schema, joined.1 + check.discrepancies)
  }

  /// The schema by the naming rules, with the numbers that the store has given.
  static func prediction(of model: ManagedObjectModel, _ primaryKeys: PrimaryKeyTable) -> SchemaPrediction {
    SchemaPrediction(model, numbering(of: model, primaryKeys).0)
  }

  private static func numbering(
    of model: ManagedObjectModel, _ primaryKeys: PrimaryKeyTable
  ) -> (EntityNumbering, [SchemaDiscrepancy]) {
    primaryKeys.user.isEmpty
      ? (EntityNumbering(model: model), []) : EntityNumbering.joining(model, primaryKeys)
  }
}

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
      let search = JoinTableSearch(predicted: join)
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

/// One point where the tables of a store, its list of entities and its model disagree.
package struct SchemaDiscrepancy: Sendable, Equatable {
  package enum Kind: String, Sendable {
    case missingTable, unexpectedTable, missingColumn, unexpectedColumn
    /// Z_PRIMARYKEY has another name for the entity's number.
    case staleEntityName
    /// The model's entity has no row in Z_PRIMARYKEY.
    case entityWithoutNumber
    /// A row of Z_PRIMARYKEY has no entity in the model.
    case numberWithoutEntity
    /// Z_PRIMARYKEY gives another number, or another parent, than the numbering rule.
    case numberingDiffers
    /// The model and the store have no entity in common: single differences would say nothing.
    case foreignModel

    /// Fetches name every column of an entity, so one that is missing makes all of them fail.
    package var breaksFetches: Bool {
      [.missingTable, .missingColumn, .foreignModel].contains(self)
    }
  }

  package var kind: Kind
  package var table: String?
  package var column: String?
  package var entity: String?
  /// The property that the column belongs to, where there is one.
  package var property: String?
  /// What the model says where the store says something else.
  package var expected: String?

  package init(
    _ kind: Kind, table: String? = nil, column: String? = nil, entity: String? = nil, property: String? = nil,
    expected: String? = nil
  ) {
    self.kind = kind
    self.table = table
    self.column = column
    self.entity = entity
    self.property = property
    self.expected = expected
  }
}

extension SchemaDiscrepancy: CustomStringConvertible {
  package var description: String {
    let place = [table, column].compactMap { $0 }.joined(separator: ".")
    let owner = [entity, property].compactMap { $0 }.joined(separator: ".")
    let wanted = expected ?? "another"
    return switch kind {
    case .missingTable: "the model needs table \(place) for \(owner), and the store has none"
    case .unexpectedTable: "the store has table \(place), which no entity of the model needs"
    case .missingColumn: "the model needs column \(place) for \(owner), and the table has none"
    case .unexpectedColumn:
      "table \(table ?? "") has column \(column ?? ""), which no property of the model needs"
    case .staleEntityName: "Z_PRIMARYKEY still has entity \(wanted) under an old name, \(owner)"
    case .entityWithoutNumber: "entity \(owner) of the model isn't in Z_PRIMARYKEY"
    case .numberWithoutEntity: "entity \(owner) of Z_PRIMARYKEY isn't in the model"
    case .foreignModel: ModelDifference.noCommonEntity("the model")
    case .numberingDiffers: "Z_PRIMARYKEY places entity \(owner) elsewhere: the model makes it \(wanted)"
    }
  }
}
