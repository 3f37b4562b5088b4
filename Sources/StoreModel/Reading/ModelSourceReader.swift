package import Archives
import Base

/// Reads the XML in which Xcode keeps a model: the file `contents` in an `.xcdatamodel` folder.
package enum ModelSourceReader {
  package static func read(_ bytes: [UInt8]) throws(ArchiveError) -> DecodedModel {
    let root = try XMLReader.read(bytes)
    guard root.name == "model" else {
      throw ArchiveError("its outermost element is <\(root.name)>, not <model>")
    }
    return try read(root)
  }

  private static func read(_ root: XMLElement) throws(ArchiveError) -> DecodedModel {
    var properties = PropertySourceReader(composites: root.children(named: "composite"))
    var entities: [EntityDescription] = []
    var configurations: [String: Set<String>] = [:]
    for element in root.children {
      guard let name = element.attributes["name"], !name.isEmpty else {
        if ["entity", "configuration"].contains(element.name) {
          properties.problems.report("an element <\(element.name)> has no name")
        }
        continue
      }
      switch element.name {
      case "entity": entities.append(try entity(name, element, &properties))
      case "configuration":
        configurations[name] = Set(
          element.children(named: "memberEntity").compactMap { $0.attributes["name"] })
      default: break
      }
    }
    guard entities.count <= ModelChecks.entityLimit else {
      throw ArchiveError("it has more entities than Core Data can number: \(entities.count)")
    }
    let identifier = root.attributes["userDefinedModelVersionIdentifier"] ?? ""
    return ModelChecks.checked(
      ManagedObjectModel(
        entities: entities, versionIdentifiers: identifier.isEmpty ? [] : [identifier],
        configurations: configurations),
      problems: properties.problems)
  }

  private static func entity(
    _ name: String, _ element: XMLElement, _ properties: inout PropertySourceReader
  ) throws(ArchiveError) -> EntityDescription {
    var attributes: [AttributeDescription] = []
    var relationships: [RelationshipDescription] = []
    var fetchedProperties: [String] = []
    for child in element.children {
      switch child.name {
      case "attribute":
        if let attribute = try properties.attribute(child, of: name) { attributes.append(attribute) }
      case "relationship":
        if let relationship = properties.relationship(child, of: name) { relationships.append(relationship) }
      case "fetchedProperty":
        if let property = child.attributes["name"] { fetchedProperties.append(property) }
      default: break
      }
    }
    let constraints = element.children(named: "uniquenessConstraints")
      .flatMap { $0.children(named: "uniquenessConstraint") }
      .map { $0.children(named: "constraint").compactMap { $0.attributes["value"] } }
    return EntityDescription(
      name: name, superentity: element.attributes["parentEntity"],
      isAbstract: element.isSet("isAbstract"), className: element.attributes["representedClassName"],
      attributes: attributes, relationships: relationships, fetchedProperties: fetchedProperties,
      uniquenessConstraints: constraints, userInfo: element.userInfo,
      renamingIdentifier: element.renamingIdentifier, versionHashModifier: element.versionHashModifier)
  }

  /// Xcode's own models stay below some megabytes.
  private static let sizeLimit = 64 << 20

  static func read(contents path: String) throws(StoreScopeError) -> DecodedModel {
    try read(FileReader.bytes(of: path, limit: sizeLimit), path: path)
  }

  static func read(_ bytes: [UInt8], path: String) throws(StoreScopeError) -> DecodedModel {
    do throws(ArchiveError) {
      return try read(bytes)
    } catch {
      throw StoreScopeError(.damaged, plain: path, "isn't a readable model: \(error)")
    }
  }

  /// The versions of an `.xcdatamodeld` folder whose entities have the store's names, the current version first.
  /// Without version hashes in `metadata` all of them.
  /// - Parameter names: what the folder holds.
  static func read(
    xcdatamodeld folder: String, names: [String], metadata: StoreMetadata?
  ) throws(StoreScopeError) -> [ModelCandidate] {
    let current = currentVersion(of: folder)
    var candidates: [ModelCandidate] = []
    let versions = names.filter { $0.hasSuffix(".xcdatamodel") }
    let bytes = versions.reduce(0) { $0 + (FileReader.size(of: "\(folder)/\($1)/contents") ?? 0) }
    guard versions.count == 1 || bytes <= CompiledModelReader.ambiguousLimit else {
      throw StoreScopeError(
        .limit, plain: folder,
        "holds \(versions.count) versions with \(bytes) bytes, more than are compared with the store",
        advice: "pass the .xcdatamodel of one version")
    }
    for name in versions.filter({ $0 == current }) + versions.filter({ $0 != current }) {
      let decoded = try read(contents: "\(folder)/\(name)/contents")
      candidates.append(ModelCandidate(name: ModelFile.stem(of: name), decoded: decoded, isVerified: false))
    }
    let expected = Set(metadata?.versionHashes.keys.map { $0 } ?? [])
    guard !expected.isEmpty else { return candidates }
    let fitting = candidates.filter { Set($0.model.entities.map(\.name)) == expected }
    guard fitting.isEmpty else { return fitting }
    throw ModelDifference.refusal(
      of: folder, isForeign: candidates.allSatisfy { $0.model.isForeign(to: expected) },
      "has the entities of this store",
      candidates.map { candidate in
        let names = Set(candidate.model.entities.map(\.name))
        return ModelDifference.sentence(
          name: candidate.name, different: names.symmetricDifference(expected),
          count: names.union(expected).count)
      })
  }

  /// The file is missing where there is one version only; a damaged one costs no more than the order.
  private static func currentVersion(of folder: String) -> String? {
    guard let bytes = try? FileReader.bytes(of: folder + "/.xccurrentversion", limit: 1 << 20),
      let list = try? XMLPropertyList.read(bytes)
    else { return nil }
    return list["_XCCurrentVersionName"]?.string
  }
}
