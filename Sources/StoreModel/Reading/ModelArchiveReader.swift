package import Archives
import Base
package import SQLite

/// Reads a managed object model from the keyed archive that a store's cache and compiled models hold.
///
/// Classes and keys were measured on the caches of real stores from macOS 10.13 to 26 and on compiled models.
package enum ModelArchiveReader {
  /// - Throws: where the bytes are no keyed archive of a model; lesser faults become `DecodedModel.problems`.
  package static func read(_ bytes: [UInt8]) throws(ArchiveError) -> DecodedModel {
    try read(KeyedArchive(bytes: bytes))
  }

  package static func read(_ archive: KeyedArchive) throws(ArchiveError) -> DecodedModel {
    guard let root = archive.root else { throw ArchiveError("the keyed archive has no root object") }
    guard root.isKind(of: "NSManagedObjectModel") else {
      throw ArchiveError(
        "the keyed archive holds a \(root.className ?? "plain value") instead of an NSManagedObjectModel")
    }
    guard let entries = root["NSEntities"]?.entries else {
      throw ArchiveError("the archived model has no dictionary of entities")
    }
    guard entries.count <= ModelChecks.entityLimit else {
      throw ArchiveError("the archived model has more entities than Core Data can number: \(entries.count)")
    }
    var reader = EntityArchiveReader()
    var entities: [EntityDescription] = []
    for entry in entries {
      if let entity = try reader.entity(entry.value.object, key: entry.key.string) { entities.append(entity) }
    }
    let configurations = try reader.configurations(of: root)
    return ModelChecks.checked(
      ManagedObjectModel(
        entities: entities,
        // The empty identifier stands for none.
        versionIdentifiers: (root["NSVersionIdentifiers"]?.elements ?? [])
          .compactMap(\.string).filter { !$0.isEmpty }.sorted(),
        configurations: configurations),
      problems: reader.properties.problems)
  }
}

/// Reads the entities of an archived model.
private struct EntityArchiveReader {
  var properties = PropertyArchiveReader()
  /// The names of an entity's properties, inherited ones included, by the entity's number in the archive.
  private var propertyNames: [Int: Set<String>] = [:]

  mutating func entity(_ object: ArchivedObject?, key: String?) throws(ArchiveError) -> EntityDescription? {
    guard let object, let name = object["NSEntityName"]?.string ?? key, !name.isEmpty else {
      properties.problems.report("\(key ?? "an entity") isn't an entity description and was left out")
      return nil
    }
    let superentity = object["NSSuperentity"]?.object
    let superentityName = superentity?["NSEntityName"]?.string
    try properties.spend(on: name)
    try properties.spend(on: superentityName)
    // The archive repeats inherited properties, as copies of their own or as proxies.
    var inherited: Set<String> = []
    if let superentity { inherited = try propertyNames(of: superentity) }
    var attributes: [AttributeDescription] = []
    var relationships: [RelationshipDescription] = []
    var fetchedProperties: [String] = []
    for entry in try properties.entries(of: object["NSProperties"]) {
      guard let key = entry.key.string, !inherited.contains(key) else { continue }
      switch try properties.property(entry.value.object, key: key, owner: name) {
      case .attribute(let attribute): attributes.append(attribute)
      case .relationship(let relationship): relationships.append(relationship)
      case .fetched(let property): fetchedProperties.append(property)
      case nil: break
      }
    }
    return EntityDescription(
      name: name, superentity: superentityName, isAbstract: object.isSet("NSIsAbstract"),
      className: object["NSClassNameForEntity"]?.string, attributes: attributes, relationships: relationships,
      fetchedProperties: fetchedProperties, uniquenessConstraints: try uniquenessConstraints(of: object),
      userInfo: try properties.userInfo(of: object),
      renamingIdentifier: object.renamingIdentifier(unless: name),
      versionHashModifier: object.versionHashModifier)
  }

  /// Configuration name → names of its entities.
  mutating func configurations(of model: ArchivedObject) throws(ArchiveError) -> [String: Set<String>] {
    var configurations: [String: Set<String>] = [:]
    for entry in try properties.entries(of: model["NSConfigurations"]) {
      guard let name = entry.key.string else { continue }
      let members = try properties.elements(of: entry.value)
      configurations[name] = Set(members.compactMap { $0.object?["NSEntityName"]?.string ?? $0.string })
    }
    return configurations
  }

  private mutating func propertyNames(of entity: ArchivedObject) throws(ArchiveError) -> Set<String> {
    if let names = propertyNames[entity.number] { return names }
    let names = Set(try properties.entries(of: entity["NSProperties"]).compactMap(\.key.string))
    propertyNames[entity.number] = names
    return names
  }

  private mutating func uniquenessConstraints(of entity: ArchivedObject) throws(ArchiveError) -> [[String]] {
    var constraints: [[String]] = []
    for constraint in try properties.elements(of: entity["NSUniqueTuples"]) {
      let names = try properties.elements(of: constraint).compactMap(\.string)
      if !names.isEmpty { constraints.append(names) }
    }
    return constraints
  }
}

/// The model that a store keeps of itself in Z_MODELCACHE, or why there is none.
package enum ModelCache: Sendable, Equatable {
  /// Stores of older frameworks have no such table (519 and before, measured on real stores).
  case absent
  /// The table has no row, or nothing in it: apps delete it, and one real store has NULL there.
  case empty
  /// Why it can't be decoded, as a clause.
  case damaged(String)
  case decoded(DecodedModel)

  /// Real caches inflate to less than 2 MB.
  package static let inflatedLimit = 256 << 20

  /// - Throws: `SQLiteError`, but for damage to the table, which is `damaged` like damage to the content.
  package static func read(from connection: Connection) throws -> ModelCache {
    guard try connection.hasTable("Z_MODELCACHE"),
      try connection.columns(of: "Z_MODELCACHE").contains(where: { $0.name == "Z_CONTENT" })
    else { return .absent }
    do {
      let cache = try connection.first("SELECT Z_CONTENT FROM Z_MODELCACHE LIMIT 1") { row in
        row.withBytes(0) { bytes in decode(bytes) }
      }
      return cache ?? .empty
    } catch let error as SQLiteError where error.isDamage {
      return .damaged(error.message)
    }
  }

  /// The content is bare DEFLATE (RFC 1951) around a keyed archive, in all caches of frameworks 851 to 1526.
  package static func decode(_ content: UnsafeRawBufferPointer) -> ModelCache {
    guard !content.isEmpty else { return .empty }
    do throws(ArchiveError) {
      return .decoded(try ModelArchiveReader.read(Inflate.raw(content, limit: inflatedLimit)))
    } catch {
      return .damaged(error.description)
    }
  }
}
