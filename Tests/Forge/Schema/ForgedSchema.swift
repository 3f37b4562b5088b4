import StoreModel

/// A model with the tables that Core Data would make for it.
struct ForgedSchema {
  let model: ManagedObjectModel
  let entities: StoreSchema
  let tables: [PredictedTable]
  /// Attributes kept at deletion, by entity number, in the order of their columns.
  let tombstones: [Int64: [SchemaAttribute]]
  let ends: RelationshipEnds

  init(_ model: ManagedObjectModel) {
    self.model = model
    let predicted = SchemaPrediction(model)
    entities = predicted.schema
    tables = predicted.tables
    var tombstones: [Int64: [SchemaAttribute]] = [:]
    for entity in predicted.schema.entities {
      tombstones[entity.number] = TombstoneNames.attributes(of: entity, in: predicted.schema)
    }
    self.tombstones = tombstones
    ends = RelationshipEnds(predicted.schema)
  }

  /// How many columns for tombstones `ACHANGE` has: as many as the entity with the most needs.
  var tombstoneColumns: Int { tombstones.values.map(\.count).max() ?? 0 }

  /// The mask of an update that changed these properties.
  func mask(of object: ForgedObject, _ properties: Set<String>) -> [UInt8] {
    guard let entity = entities[object.entityNumber] else { return [] }
    let names = properties.map { ends[object, $0]?.maskName ?? $0 }
    return ChangeMask(entity, in: entities).encode(Set(names))
  }
}
