/// Which attribute each ZTOMBSTONE column holds for an entity.
///
/// First those that the model names under the user-info key `NSPersistentHistoryTombstoneAttributes`, then those
/// marked to be preserved on deletion, inherited ones first; the same for the entity above; each once.
package enum TombstoneNames {
  package static func attributes(of entity: SchemaEntity, in schema: StoreSchema) -> [SchemaAttribute] {
    var result: [SchemaAttribute] = []
    func add(_ attribute: SchemaAttribute) {
      if !result.contains(where: { $0.path == attribute.path }) { result.append(attribute) }
    }
    var next: SchemaEntity? = entity
    var depth = 0
    while let entity = next, depth < 64 {
      let listed = entity.description?.userInfo["NSPersistentHistoryTombstoneAttributes"] ?? ""
      for name in listed.split(separator: ",") {
        let name = name.drop { $0 == " " }
        if let attribute = entity.attributes.first(where: { $0.name == name }) { add(attribute) }
      }
      entity.attributes.filter(\.description.preservesValueOnDeletion).forEach(add)
      next = entity.parent.flatMap { schema[$0] }
      depth += 1
    }
    return result
  }
}
