import Base

/// What changed from one model to a newer one. In a migration, entities and properties are the same if their renaming
/// identifiers are, which default to their names:
/// https://developer.apple.com/documentation/coredata/nsentitydescription/renamingidentifier
package struct ModelChanges: Sendable {
  /// By entity in the newer model's order, removed entities last. What an entity inherits is listed where it is
  /// declared.
  package let all: [ModelChange]

  package init(from old: ManagedObjectModel, to new: ManagedObjectModel) {
    // Renaming identifiers count only if there is something to migrate.
    let byName = Self.all(from: old.withoutRenamings, to: new.withoutRenamings)
    guard byName.allSatisfy({ $0.migration == .nothing }) else {
      all = Self.all(from: old, to: new)
      return
    }
    all = new.entities.flatMap { entity in
      (old[entity.name].map { entity.changedIdentifiers(since: $0) } ?? [])
        + byName.filter { $0.entity == entity.name }
    }
  }

  private static func all(from old: ManagedObjectModel, to new: ManagedObjectModel) -> [ModelChange] {
    let before = CanonicalModel(old)
    let after = CanonicalModel(new)
    let pairs = RenamingPairs(old.entities, new.entities).all
    var older: [String: EntityDescription] = [:]
    var found: [String: [ModelChange]] = [:]
    for case (let old, let entity?) in pairs {
      older[entity.name] = old
      found[entity.name] =
        old.map { EntityComparison(old: $0, new: entity, before, after).changes }
        ?? [ModelChange(kind: .entityAdded, entity: entity.name, migration: .inferred)]
    }
    let placeless = found.mapValues { Set($0.map(\.placeless)) }
    var changes = new.entities.flatMap { entity in
      let inherited = entity.superentity.flatMap { placeless[$0] } ?? []
      return (found[entity.name] ?? []).filter { $0.property == nil || !inherited.contains($0.placeless) }
    }
    for index in changes.indices where changes[index].older.entity != nil {
      changes[index].older.entities = entities(with: changes[index], placeless, older, after)
    }
    changes += merges(older, before, after)
    for case (let old?, nil) in pairs {
      changes.append(
        ModelChange(
          kind: .entityRemoved, entity: old.name, migration: .inferred,
          older: .init(renamingIdentifier: old.renamingIdentifier)))
    }
    return changes
  }

  /// The older names of the change's entity and of those below it that inherit the change without a gap.
  private static func entities(
    with change: ModelChange, _ placeless: [String: Set<ModelChange>],
    _ older: [String: EntityDescription], _ after: CanonicalModel
  ) -> [String] {
    var names: [String] = []
    var pending = [change.entity]
    var seen: Set<String> = []
    while let name = pending.popLast() {
      guard seen.insert(name).inserted, placeless[name]?.contains(change.placeless) == true else { continue }
      if let old = older[name] { names.append(old.name) }
      pending += after.children(of: name)
    }
    return names.sorted()
  }

  /// "If two existing entities don't share a common parent in the source, they can't share a common parent in the
  /// destination" (the page that `ModelChange.Migration` links).
  private static func merges(
    _ older: [String: EntityDescription], _ before: CanonicalModel, _ after: CanonicalModel
  ) -> [ModelChange] {
    var roots: [String: (entity: String, root: String)] = [:]
    return after.model.entities.compactMap { entity in
      guard let old = older[entity.name] else { return nil }
      let root = before.root(of: old)
      let newRoot = after.root(of: entity)
      guard let first = roots[newRoot] else {
        roots[newRoot] = (entity.name, root)
        return nil
      }
      guard first.root != root else { return nil }
      // The one at the top didn't move.
      let (moved, from) = entity.name == newRoot ? first : (entity.name, root)
      return ModelChange(
        kind: .hierarchiesMerged, entity: moved, before: from, after: newRoot, migration: .refused)
    }
  }
}

extension ModelChange {
  /// The same wherever it is inherited.
  fileprivate var placeless: ModelChange {
    var change = self
    change.entity = ""
    change.older.entity = nil
    change.older.entities = []
    return change
  }
}

/// A model whose entities and properties are found by what doesn't change when they are renamed.
struct CanonicalModel {
  let model: ManagedObjectModel
  private let byName: [String: EntityDescription]
  private let childrenByName: [String: [String]]

  init(_ model: ManagedObjectModel) {
    self.model = model
    byName = Dictionary(firstOf: model.entities.map { ($0.name, $0) })
    childrenByName = Dictionary(grouping: model.entities) { $0.superentity ?? "" }.mapValues {
      $0.map(\.name)
    }
  }

  func children(of name: String) -> [String] { name.isEmpty ? [] : childrenByName[name] ?? [] }

  /// What the entity of this name is called whatever the version; the name itself if there is none.
  func canonicalName(_ name: String) -> String { byName[name]?.canonicalName ?? name }

  func root(of entity: EntityDescription) -> String { line(of: entity).last?.name ?? entity.name }

  /// The entity and those above it. Readers of models cut circles; the limit is for models that were made in memory.
  func line(of entity: EntityDescription) -> [EntityDescription] {
    var line = [entity]
    while line.count < HierarchyWalk.depthLimit, let parent = line.last?.superentity.flatMap({ byName[$0] }) {
      line.append(parent)
    }
    return line
  }

  func attributes(of entity: EntityDescription) -> [AttributeDescription] {
    line(of: entity).flatMap(\.attributes)
  }

  func relationships(of entity: EntityDescription) -> [RelationshipDescription] {
    line(of: entity).flatMap(\.relationships)
  }
}
