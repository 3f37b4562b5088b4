package import Archives
import Values

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
    var entity = EntityDescription(
      name: name, superentity: element.attributes["parentEntity"],
      isAbstract: element.isSet("isAbstract"), className: element.attributes["representedClassName"],
      attributes: attributes, relationships: relationships, fetchedProperties: fetchedProperties,
      uniquenessConstraints: constraints, userInfo: element.userInfo,
      renamingIdentifier: element.renamingIdentifier)
    entity.versionHashModifier = element.versionHashModifier
    return entity
  }
}
