package import Archives
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

extension ChangeMask {
  /// The mask of an update that touched these properties.
  package func encode(_ properties: Set<String>) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: byteCount)
    for (index, slot) in slots.enumerated() where properties.contains(slot.property) {
      bytes[index / 8] |= 0x80 >> UInt8(index % 8)
    }
    return bytes
  }
}

/// One end of a relationship, seen from the objects of one entity.
struct RelationshipEnd {
  var name: String
  /// Its name in change masks; nil for a real property.
  var maskName: String? = nil
  var isToMany: Bool
  var isOrdered: Bool
  var deleteRule: RelationshipDescription.DeleteRule
  /// Numbers of the entities that may stand at the other end.
  var destinations: ClosedRange<Int64>
  /// The name under which the other end knows this one.
  var inverse: String?
  var storage: SchemaRelationship.Storage
}

/// All ends of all entities. A to-many without inverse gets a second end of ours, so that linking needs no
/// special case for it: a to-one of the destination, named as its column is, by the owner's number and the
/// relationship.
struct RelationshipEnds {
  private var ends: [Int64: [String: RelationshipEnd]] = [:]

  init(_ schema: StoreSchema) {
    for entity in schema.entities {
      for relationship in entity.relationships { add(relationship, of: entity, in: schema) }
    }
  }

  private mutating func add(
    _ relationship: SchemaRelationship, of entity: SchemaEntity, in schema: StoreSchema
  ) {
    guard relationship.storage != .none, let destination = schema[relationship.destination] else { return }
    let description = relationship.description
    var end = RelationshipEnd(
      name: description.name, isToMany: description.isToMany, isOrdered: description.isOrdered,
      deleteRule: description.deleteRule, destinations: destination.subtree, inverse: description.inverse,
      storage: relationship.storage)
    if case .toMany(_, let column, let entityColumn, let orderColumn, isVirtual: true) = relationship.storage,
      let owner = schema[relationship.declaredBy]
    {
      let name = "\(owner.number)\(description.name)"
      end.inverse = name
      for number in destination.subtree {
        ends[number, default: [:]][name] = RelationshipEnd(
          name: name, maskName: ChangeMask.otherSide(of: description.name), isToMany: false, isOrdered: false,
          deleteRule: .nullify, destinations: owner.subtree, inverse: description.name,
          storage: .toOne(column: column, entityColumn: entityColumn, orderColumn: orderColumn))
      }
    }
    ends[entity.number, default: [:]][end.name] = end
  }

  subscript(object: ForgedObject, name: String) -> RelationshipEnd? { ends[object.entityNumber]?[name] }

  /// In the order of their names, as every run must do the same.
  func all(of object: ForgedObject) -> [RelationshipEnd] {
    (ends[object.entityNumber] ?? [:]).values.sorted { $0.name < $1.name }
  }
}

/// What kind of store the forge makes.
package struct ForgeOptions: Sendable {
  /// Which history tables there are. Which framework writes which was measured on real stores.
  package enum History: Sendable {
    case none
    /// Up to 10.13: author and process as text in every transaction.
    case inlineStrings
    /// From 10.15: texts once, in `ATRANSACTIONSTRING`.
    case internedStrings
  }

  package enum ModelCache: Sendable {
    case whole
    /// Cut off in the middle.
    case damaged
    /// The table with a NULL in it.
    case null
    /// No table, as in stores of framework 519 and before.
    case absent
  }

  package enum Journal: Sendable {
    case wal, rollback
  }

  package var uuid: String
  /// `NSPersistenceFrameworkVersion`; also decides which metadata keys are there.
  package var frameworkVersion: Int64
  package var history: History
  package var modelCache: ModelCache
  package var journal: Journal
  /// Keys of the app's own in the store's metadata.
  package var metadata: [PropertyListDictionary.Entry]
  /// Entities whose objects the app keeps out of its history.
  package var entitiesWithoutHistory: Set<String>
  /// The largest value in bytes that an attribute with external storage keeps in its row.
  package var inlineLimit: Int

  package init(
    uuid: String = "5C0E5C0E-0000-4000-8000-000000000001", frameworkVersion: Int64 = 1526,
    history: History = .internedStrings, modelCache: ModelCache = .whole, journal: Journal = .wal,
    metadata: [PropertyListDictionary.Entry] = [], entitiesWithoutHistory: Set<String> = [],
    inlineLimit: Int = 100 * 1024
  ) {
    self.uuid = uuid
    self.frameworkVersion = frameworkVersion
    self.history = history
    self.modelCache = modelCache
    self.journal = journal
    self.metadata = metadata
    self.entitiesWithoutHistory = entitiesWithoutHistory
    self.inlineLimit = inlineLimit
  }
}
