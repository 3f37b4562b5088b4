import Archives
package import StoreModel

/// Writes a model as Core Data caches it in a store: the same classes and keys in a keyed archive, as measured on
/// the caches of frameworks 851 to 1526, compressed to bare DEFLATE.
package struct ModelCacheWriter {
  /// The content of `Z_MODELCACHE`.
  package static func content(of model: ManagedObjectModel) -> [UInt8] { Deflate.raw(archive(of: model)) }

  /// The keyed archive itself.
  package static func archive(of model: ManagedObjectModel) -> [UInt8] {
    let writer = ModelCacheWriter(model)
    return writer.archive.bytes(root: writer.write())
  }

  private let model: ManagedObjectModel
  private let archive = KeyedArchiveWriter()
  private let root: KeyedArchiveWriter.Reference
  private let entities: [String: KeyedArchiveWriter.Reference]
  private let properties: PropertyArchiveWriter

  private init(_ model: ManagedObjectModel) {
    self.model = model
    root = archive.object("NSManagedObjectModel")
    var entities: [String: KeyedArchiveWriter.Reference] = [:]
    for entity in model.entities { entities[entity.name] = archive.object("NSEntityDescription") }
    self.entities = entities
    properties = PropertyArchiveWriter(model: model, archive: archive, entities: entities)
  }

  private func write() -> KeyedArchiveWriter.Reference {
    for entity in model.entities.sorted(by: { $0.name < $1.name }) { write(entity) }
    archive.set("NSEntities", to: .reference(entityDictionary()), of: root)
    archive.set("NSFetchRequestTemplates", to: .reference(.null), of: root)
    archive.set(
      "NSVersionIdentifiers",
      to: .reference(archive.set(model.versionIdentifiers.map { archive.string($0) })), of: root)
    let configurations = model.configurations.sorted { $0.key < $1.key }.map { name, members in
      (archive.string(name), archive.set(members.sorted().compactMap { entities[$0] }))
    }
    archive.set("NSConfigurations", to: .reference(archive.mutableDictionary(configurations)), of: root)
    return root
  }

  /// A dictionary of a private class whose keys are a shared object of their own.
  private func entityDictionary() -> KeyedArchiveWriter.Reference {
    let names = entities.keys.sorted()
    let mapping = archive.object(
      "NSKnownKeysMappingStrategy1", superclasses: ["NSKnownKeysMappingStrategy", "NSObject"],
      fields: [
        ("length", .integer(Int64(names.count))),
        ("keys", .reference(archive.array(names.map { archive.string($0) }))), ("version", .integer(1)),
      ])
    return archive.object(
      "NSKnownKeysDictionary1",
      superclasses: ["NSKnownKeysDictionary", "NSMutableDictionary", "NSDictionary", "NSObject"],
      fields: [
        ("values", .reference(archive.array(names.compactMap { entities[$0] }))),
        ("searchMapping", .reference(mapping)),
        ("emptyToken", .reference(archive.string("__empty_slot_token_4c24_98dc_ac1e_b773__"))),
        ("version", .integer(1)),
      ])
  }

  private func write(_ entity: EntityDescription) {
    guard let object = entities[entity.name] else { return }
    let children = model.entities.filter { $0.superentity == entity.name }.map(\.name).sorted()
    let subentities = children.compactMap { name in entities[name].map { (archive.string(name), $0) } }
    let properties = properties.properties(of: entity).map { (archive.string($0.name), $0.object) }
    var fields: [(String, KeyedArchiveWriter.Field)] = [
      ("NSEntityName", .reference(archive.string(entity.name))),
      ("NSClassNameForEntity", .reference(archive.string(entity.className))),
      ("NSSuperentity", .reference(entity.superentity.flatMap { entities[$0] } ?? .null)),
      ("NSSubentities", .reference(archive.mutableDictionary(subentities))),
      ("NSProperties", .reference(archive.mutableDictionary(properties))),
      ("NSUserInfo", .reference(archive.dictionary(entity.userInfo))),
      ("NSVersionHashModifier", .reference(.null)),
      ("NSRenamingIdentifier", .reference(archive.string(entity.renamingIdentifier ?? entity.name))),
      ("NSManagedObjectModel", .reference(root)),
    ]
    if entity.isAbstract { fields.append(("NSIsAbstract", .bool(true))) }
    if !entity.uniquenessConstraints.isEmpty {
      let tuples = entity.uniquenessConstraints.map { names in
        archive.mutableArray(names.map { archive.string($0) })
      }
      fields.append(("NSUniqueTuples", .reference(archive.mutableArray(tuples))))
    }
    for (key, value) in fields { archive.set(key, to: value, of: object) }
  }
}

extension KeyedArchiveWriter {
  func mutableDictionary(_ entries: [(Reference, Reference)]) -> Reference {
    object(
      "NSMutableDictionary", superclasses: ["NSDictionary", "NSObject"],
      fields: [("NS.keys", .references(entries.map(\.0))), ("NS.objects", .references(entries.map(\.1)))])
  }

  func mutableArray(_ elements: [Reference]) -> Reference {
    object(
      "NSMutableArray", superclasses: ["NSArray", "NSObject"], fields: [("NS.objects", .references(elements))]
    )
  }

  func dictionary(_ texts: [String: String]) -> Reference {
    dictionary(texts.sorted { $0.key < $1.key }.map { (key: string($0.key), value: string($0.value)) })
  }
}
