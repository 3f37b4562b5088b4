import StoreModel

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
          deleteRule: .nullify, destinations: owner.subtree,
          inverse: description.name,
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
