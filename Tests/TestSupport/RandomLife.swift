import Base
package import Forge
import StoreModel

/// Uses a forged store as an app might over some weeks, at random, and the same for the same seed.
package struct RandomLife {
  private let forge: StoreForge
  private var random: SeededGenerator
  private var objects: [ForgedObject] = []

  /// Makes `saves` saves by several authors, with inserts, updates, links, unlinks, reorderings and deletes. Goes on
  /// with the objects that the store has.
  package static func live(_ forge: StoreForge, saves: Int, seed: UInt64 = 1) throws {
    var life = RandomLife(forge: forge, random: SeededGenerator(seed: seed))
    life.objects = forge.truth.objects.keys.sorted {
      ($0.entityNumber, $0.primaryKey) < ($1.entityNumber, $1.primaryKey)
    }
    for number in 0..<saves { try life.save(number) }
  }

  private mutating func save(_ number: Int) throws {
    let author = [nil, "app", "widget", "import"][Int.random(in: 0..<4, using: &random)]
    var life = self
    try forge.save(author: author, process: "Test") { save in
      for _ in 0..<(number == 0 ? 12 : 4) { try life.insert(save) }
      for _ in 0..<6 { try life.step(save) }
    }
    objects = life.objects.filter { forge.truth[$0] != nil }
    random = life.random
  }

  private mutating func insert(_ save: Save) throws {
    let entities = forge.schema.entities.filter { !$0.isAbstract }
    guard let entity = entities.randomElement(using: &random) else { return }
    var values: [String: ForgeValue] = [:]
    for attribute in entity.attributes where !attribute.description.isTransient {
      values[attribute.name] = value(of: attribute.description)
    }
    objects.append(try save.insert(entity.name, values))
  }

  private mutating func step(_ save: Save) throws {
    guard let object = objects.randomElement(using: &random), save.contains(object),
      let entity = forge.schema[object.entityNumber]
    else { return }
    let attribute = entity.attributes.filter { !$0.description.isTransient }.randomElement(using: &random)
    let relationship = entity.relationships.randomElement(using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0: try save.delete(object)
    case 1...3:
      if let attribute { try save.update(object, [attribute.name: value(of: attribute.description)]) }
    case 4:
      guard let relationship else { return }
      let members = save.members(of: object, relationship.name)
      if let member = members.randomElement(using: &random) {
        try save.unlink(object, relationship.name, member)
      }
    case 5:
      guard let relationship, relationship.description.isOrdered else { return }
      let members = save.members(of: object, relationship.name)
      try save.order(object, relationship.name, members.shuffled(using: &random))
    default:
      guard let relationship, let destination = forge.schema[relationship.destination] else { return }
      let candidates = objects.filter { destination.subtree.contains($0.entityNumber) && save.contains($0) }
      if let member = candidates.randomElement(using: &random) {
        try save.link(object, relationship.name, member)
      }
    }
  }

  private mutating func value(of attribute: AttributeDescription) -> ForgeValue {
    if attribute.isOptional, Int.random(in: 0..<5, using: &random) == 0 { return .null }
    let number = Int64.random(in: 0..<1_000_000, using: &random)
    switch attribute.type {
    case .integer16: return .integer(number % 30_000)
    case .integer32, .integer64: return .integer(number)
    case .boolean: return .boolean(number % 2 == 0)
    case .double, .decimal, .float: return .real(Double(number) / 4)
    case .date: return .date(CoreDataDate(seconds: Double(number) / 2))
    case .string: return .text("text \(number)")
    case .uri: return .text("https://example.com/\(number)")
    case .uuid:
      let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
      return .text(bytes.withUnsafeBytes { Hexadecimal.uuid($0) } ?? "")
    case .binary, .transformable:
      return .bytes((0..<number % 64).map { _ in UInt8.random(in: 0...255, using: &random) })
    case .composite:
      var parts: [String: ForgeValue] = [:]
      for element in attribute.elements { parts[element.name] = value(of: element) }
      return .composite(parts)
    case .undefined, .objectID: return .null
    }
  }
}

/// Random numbers that are the same in every run: SplitMix64.
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
