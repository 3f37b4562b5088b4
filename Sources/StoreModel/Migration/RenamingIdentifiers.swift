// No version hash contains a renaming identifier, so models that differ in nothing else are one to a store:
// https://developer.apple.com/documentation/coredata/nspropertydescription/versionhash

extension ManagedObjectModel {
  /// The same, in which everything is known by its name.
  var withoutRenamings: ManagedObjectModel {
    var model = self
    for index in model.entities.indices {
      model.entities[index].renamingIdentifier = nil
      for property in model.entities[index].attributes.indices {
        model.entities[index].attributes[property].renamingIdentifier = nil
      }
      for property in model.entities[index].relationships.indices {
        model.entities[index].relationships[property].renamingIdentifier = nil
      }
    }
    return model
  }
}

extension EntityDescription {
  /// What an entity of the same name calls otherwise, itself first. Nothing migrates, so nothing is renamed.
  func changedIdentifiers(since old: EntityDescription) -> [ModelChange] {
    func change(_ property: String?, _ old: (some Renamable)?, _ new: some Renamable) -> ModelChange? {
      guard let old, old.canonicalName != new.canonicalName else { return nil }
      return ModelChange(
        kind: .renamingIDChanged, entity: name, property: property, before: old.renamingIdentifier ?? "none",
        after: new.renamingIdentifier ?? "none", migration: .nothing)
    }
    let attributes = attributes.map { new in
      change(new.name, old.attributes.first { $0.name == new.name }, new)
    }
    let relationships = relationships.map { new in
      change(new.name, old.relationships.first { $0.name == new.name }, new)
    }
    return ([change(nil, old, self)] + attributes + relationships).compactMap(\.self)
  }
}
