import Archives
import StoreModel
import SystemCalls
import Values

/// Version hashes of a model. Apple's recipe isn't public; ours has the same form and the same use: equal for
/// equal entities, different for different ones.
struct ModelHashes {
  /// Entity name → 32 bytes.
  let byEntity: PropertyListDictionary
  /// Base64 of 64 bytes.
  let digest: String
  /// Base64 of 32 bytes.
  let checksum: String

  init(_ model: ManagedObjectModel) {
    var entries: [PropertyListDictionary.Entry] = []
    for entity in model.entities.sorted(by: { $0.name < $1.name }) {
      entries.append(.init(entity.name, .data(Self.hash(Self.description(of: entity)))))
    }
    byEntity = PropertyListDictionary(entries)
    let all = entries.flatMap { $0.value.data ?? [] }
    checksum = Self.base64(Self.hash(all))
    digest = Self.base64(Self.hash([1] + all) + Self.hash([2] + all))
  }

  /// Of the framework's own history entities, as the first generation of history kept them.
  static let history = PropertyListDictionary(
    ["CHANGE", "TRANSACTION"].map { .init($0, .data(hash(Array($0.utf8)))) })

  /// What decides whether two versions of an entity store alike.
  private static func description(of entity: EntityDescription) -> [UInt8] {
    var lines = ["\(entity.name) \(entity.superentity ?? "") \(entity.isAbstract)"]
    func add(_ attribute: AttributeDescription, depth: Int) {
      lines.append(
        "\(depth) \(attribute.name) \(attribute.type.rawValue) \(attribute.isOptional) \(attribute.isTransient) "
          + "\(attribute.allowsExternalStorage) \(attribute.preservesValueOnDeletion)")
      for element in attribute.elements { add(element, depth: depth + 1) }
    }
    for attribute in entity.attributes { add(attribute, depth: 0) }
    for relationship in entity.relationships {
      lines.append(
        "\(relationship.name) \(relationship.destination) \(relationship.inverse ?? "") \(relationship.isToMany) "
          + "\(relationship.isOrdered) \(relationship.minCount) \(relationship.maxCount)")
    }
    return Array(lines.joined(separator: "\n").utf8)
  }

  private static func hash(_ bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBytes(SHA256.digest) }

  private static func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << ((3 - group.count) * 8)
      for place in 0..<4 {
        text.append(place <= group.count ? digits[bits >> (18 - place * 6) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
