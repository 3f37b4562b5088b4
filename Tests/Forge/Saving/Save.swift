import Base
import SQLite
import StoreModel

/// One save of a context: what is done to it goes to the store in one transaction when the save ends, as Core
/// Data does.
package final class Save {
  let schema: ForgedSchema
  /// The objects as they will be, and before that the copy to work on.
  var truth: ForgeTruth
  var encoder: ValueEncoder
  /// Highest key handed out, by number of the root entity.
  var highestKeys: [Int64: Int64]

  // In the order in which things were done, so that every run writes the same bytes.
  private(set) var inserted: [ForgedObject] = []
  private(set) var updated: [ForgedObject] = []
  private(set) var deleted: [ForgeTruth.Object] = []
  /// Names of the changed properties of living objects, second ends of ours included.
  private(set) var changedProperties: [ForgedObject: Set<String>] = [:]
  /// Links of many-to-many relationships that were made, cut or moved.
  var touchedLinks: [TouchedLink] = []
  /// Files of replaced and deleted values, removed once the save is in the store.
  private(set) var abandonedFiles: [String] = []

  struct TouchedLink {
    var end: RelationshipEnd
    var owner: ForgedObject
    var member: ForgedObject
  }

  var ends: RelationshipEnds { schema.ends }

  init(
    schema: ForgedSchema, truth: ForgeTruth, encoder: ValueEncoder,
    highestKeys: [Int64: Int64]
  ) {
    self.schema = schema
    self.truth = truth
    self.encoder = encoder
    self.highestKeys = highestKeys
  }

  /// A new object. Attributes that are not given get the model's default.
  package func insert(
    _ entityName: String, _ values: [String: ForgeValue] = [:], links: [String: [ForgedObject]] = [:]
  ) throws -> ForgedObject {
    guard let entity = schema.entities[entityName], !entity.isAbstract else {
      throw StoreScopeError(
        .invalid, "Cannot insert a '\(entityName)': the model has no such entity, or it is abstract",
        about: entityName)
    }
    let key = (highestKeys[entity.root] ?? 0) + 1
    highestKeys[entity.root] = key
    let object = ForgedObject(entity: entityName, entityNumber: entity.number, primaryKey: key)
    truth.objects[object] = ForgeTruth.Object(object: object)
    inserted.append(object)
    var all = values
    for attribute in entity.attributes where all[attribute.name] == nil && !attribute.description.isTransient
    {
      all[attribute.name] = attribute.description.defaultValue.flatMap { ForgeValue($0) }
    }
    try set(all, of: object)
    for (name, members) in links.sorted(by: { $0.key < $1.key }) {
      for member in members { try link(object, name, member) }
    }
    return object
  }

  /// Sets attributes of a living object.
  package func update(_ object: ForgedObject, _ values: [String: ForgeValue]) throws {
    try set(values, of: object)
    for name in values.keys.sorted() { touch(object, name) }
  }

  /// Deletes an object, and does to its relationships what their deletion rules say.
  package func delete(_ object: ForgedObject) throws {
    guard let state = truth.objects[object] else { throw notThere(object) }
    var victims: [ForgedObject] = []
    for end in ends.all(of: object) {
      let members = truth.objects[object]?.links[end.name] ?? []
      switch end.deleteRule {
      case .deny where !members.isEmpty:
        throw StoreScopeError(
          .refused,
          "Cannot delete \(object.entity) \(object.primaryKey): its relationship '\(end.name)' denies it")
      case .cascade: victims += members
      default: break
      }
      for member in members { try unlink(object, end.name, member) }
    }
    for attribute in schema.entities[object.entityNumber]?.attributes.flatMap(\.leaves) ?? [] {
      abandonFile(of: attribute.column.flatMap { state.cells[$0] }, attribute.description)
    }
    truth.objects[object] = nil
    changedProperties[object] = nil
    updated.removeAll { $0 == object }
    if inserted.contains(object) {
      inserted.removeAll { $0 == object }
    } else {
      deleted.append(state)
    }
    for victim in victims where truth.objects[victim] != nil { try delete(victim) }
  }

  /// Whether the object lives at present.
  package func contains(_ object: ForgedObject) -> Bool { truth.objects[object] != nil }

  private func abandonFile(of cell: SQLiteValue?, _ attribute: AttributeDescription) {
    if let file = encoder.file(of: cell, attribute) { abandonedFiles.append(file) }
  }

  private func set(_ values: [String: ForgeValue], of object: ForgedObject) throws {
    guard var state = truth.objects[object] else { throw notThere(object) }
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      guard
        let attribute = schema.entities[object.entityNumber]?.attributes.first(where: { $0.name == name })
      else {
        throw StoreScopeError(
          .invalid, "Cannot set '\(name)': \(object.entity) has no such attribute", about: name)
      }
      let cells = try encoder.cells(of: attribute, value)
      for leaf in attribute.leaves {
        abandonFile(of: leaf.column.flatMap { state.cells[$0] }, leaf.description)
      }
      state.cells.merge(cells) { $1 }
      state.values[name] = value
    }
    truth.objects[object] = state
  }

  /// Notes that the save changes the property; an object inserted by it is new as a whole.
  func touch(_ object: ForgedObject, _ property: String) {
    guard truth.objects[object] != nil, !inserted.contains(object) else { return }
    if changedProperties[object] == nil { updated.append(object) }
    changedProperties[object, default: []].insert(property)
  }

  /// Counts the save in the changed objects' versions.
  func finish() {
    for object in updated { truth.objects[object]?.version += 1 }
  }

  /// What history records of the save: inserts, updates, deletes, each in the order in which they were done.
  func changes(in transaction: Int64, after last: Int64, without excluded: Set<String>) -> [ForgeTruth.Change]
  {
    var changes: [ForgeTruth.Change] = []
    func add(
      _ kind: ForgeTruth.Change.Kind, _ object: ForgedObject, properties: Set<String> = [],
      tombstone: [String: ForgeValue] = [:]
    ) {
      guard !excluded.contains(object.entity) else { return }
      changes.append(
        ForgeTruth.Change(
          number: last + Int64(changes.count) + 1, transaction: transaction, kind: kind, object: object,
          properties: properties, tombstone: tombstone))
    }
    for object in inserted { add(.insert, object) }
    for object in updated {
      let names = (changedProperties[object] ?? []).map { ends[object, $0]?.maskName ?? $0 }
      add(.update, object, properties: Set(names))
    }
    for state in deleted {
      let names = (schema.tombstones[state.object.entityNumber] ?? []).map(\.name)
      let kept = names.compactMap { name in state.values[name].map { (name, $0) } }
      add(.delete, state.object, tombstone: Dictionary(kept, uniquingKeysWith: { first, _ in first }))
    }
    return changes
  }

  func notThere(_ object: ForgedObject) -> StoreScopeError {
    StoreScopeError(
      .invalid, "Cannot change \(object.entity) \(object.primaryKey): the store has no such object")
  }
}
