/// An entity or a property, which keeps its values when it is renamed.
protocol Renamable {
  var name: String { get }
  var renamingIdentifier: String? { get }
}

extension Renamable {
  /// What it is called whatever the version.
  var canonicalName: String { renamingIdentifier ?? name }
}

extension EntityDescription: Renamable {}
extension AttributeDescription: Renamable {}
extension RelationshipDescription: Renamable {}

/// What is the same in two versions. Each has one counterpart: of several with one renaming identifier, the one that also
/// kept its name, then the first.
struct RenamingPairs<Element: Renamable> {
  /// In the newer model's order, what was removed last, by its name.
  let all: [(old: Element?, new: Element?)]

  init(_ old: [Element], _ new: [Element]) {
    var rest = Dictionary(grouping: old, by: \.canonicalName)
    func take(for new: Element, keepsName: Bool) -> Element? {
      let found = rest[new.canonicalName]?.firstIndex { !keepsName || $0.name == new.name }
      return found.flatMap { rest[new.canonicalName]?.remove(at: $0) }
    }
    let same = new.map { take(for: $0, keepsName: true) }
    let kept = zip(same, new).map { old, new in (old ?? take(for: new, keepsName: false), Element?.some(new))
    }
    all = kept + rest.values.joined().sorted { $0.name < $1.name }.map { ($0, nil) }
  }
}

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
