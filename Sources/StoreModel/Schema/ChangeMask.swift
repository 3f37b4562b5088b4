/// The bits of ACHANGE.ZCOLUMNS: which of an entity's properties an update touched.
///
/// One bit a slot, most significant first. The order of slots was found on real stores, where replaying the WAL
/// shows what each update changed: foreign keys, entity columns, order columns, attributes, to-many relationships
/// that end in a foreign key, many-to-many relationships; in the first four groups inherited properties first, then
/// by name.
package struct ChangeMask: Sendable {
  package struct Decoded: Sendable, Equatable {
    /// Each property once, in the order of the slots.
    package var properties: [String]
    /// Names whose place in the mask isn't certain.
    package var unsure: Set<String>
    /// What changed but has no name in the model: foreign keys of other entities' to-many relationships, and bits
    /// that can't be placed.
    package var unnamed: [String] = []
    /// Why there are no names, where the mask doesn't fit the entity.
    package var problem: String?
  }

  package struct Slot: Sendable, Equatable {
    /// The property's name, or words for what has none.
    package var property: String
    package var isUnsure = false
    package var isUnnamed = false
  }

  package let slots: [Slot]

  /// Bytes of every mask of this entity.
  package var byteCount: Int { (slots.count + 7) / 8 }

  package init(_ entity: SchemaEntity, in schema: StoreSchema) {
    var chain: [Int64] = []
    var next: Int64? = entity.number
    while let number = next, chain.count < 64, !chain.contains(number) {
      chain.insert(number, at: 0)
      next = schema[number]?.parent
    }
    let keys = chain.flatMap { level in Self.foreignKeys(of: entity, declaredBy: level) }
    let leaves = chain.flatMap { level in
      entity.attributes.filter { $0.declaredBy == level && !$0.description.isTransient }
    }.flatMap { attribute in attribute.leaves.map { _ in attribute.name } }
    slots =
      keys.map(\.slot) + keys.filter { $0.entityColumn != nil }.map(\.slot)
      + keys.filter { $0.orderColumn != nil }.map(\.slot)
      + leaves.map { Slot(property: $0) } + Self.toMany(entity)
  }

  package func decode(_ bytes: [UInt8]) -> Decoded {
    guard bytes.count == byteCount else {
      return Decoded(
        properties: [], unsure: [], problem: "the mask has \(bytes.count) bytes, the entity \(byteCount)")
    }
    var result = Decoded(properties: [], unsure: [])
    for (index, slot) in slots.enumerated() where bytes[index / 8] & (0x80 >> UInt8(index % 8)) != 0 {
      if slot.isUnnamed {
        if !result.unnamed.contains(slot.property) { result.unnamed.append(slot.property) }
        continue
      }
      if slot.isUnsure { result.unsure.insert(slot.property) }
      if !result.properties.contains(slot.property) { result.properties.append(slot.property) }
    }
    return result
  }

  /// What the foreign key of another entity's to-many relationship is called: the model has no name for it.
  package static func otherSide(of relationship: String) -> String { "the other side of \(relationship)" }

  private struct ForeignKey {
    var property: String
    var column: String
    var entityColumn: String?
    var orderColumn: String?
    var isVirtual = false

    var slot: Slot { Slot(property: property, isUnnamed: isVirtual) }
  }

  private static func foreignKeys(of entity: SchemaEntity, declaredBy level: Int64) -> [ForeignKey] {
    let own = entity.relationships.filter { $0.declaredBy == level }.compactMap {
      relationship -> ForeignKey? in
      guard case .toOne(let column, let entityColumn, let orderColumn) = relationship.predicted else {
        return nil
      }
      return ForeignKey(
        property: relationship.name, column: column, entityColumn: entityColumn, orderColumn: orderColumn)
    }
    // The model has no name for these; the mask has a bit all the same.
    let virtual = entity.virtualToOnes.filter { $0.declaredBy == level }.map { key in
      ForeignKey(
        property: otherSide(of: key.relationship), column: key.column, entityColumn: key.entityColumn,
        orderColumn: key.orderColumn, isVirtual: true)
    }
    return own + virtual
  }

  private static func toMany(_ entity: SchemaEntity) -> [Slot] {
    var one: [String] = []
    var many: [String] = []
    for relationship in entity.relationships {
      switch relationship.predicted {
      case .toMany: one.append(relationship.name)
      case .join: many.append(relationship.name)
      case .toOne, .none: break
      }
    }
    guard one.count > 1 || many.count > 1 else { return (one + many).map { Slot(property: $0) } }
    guard let order = dictionaryOrder(entity) else {
      return (one + many).map { _ in Slot(property: "a to-many relationship", isUnnamed: true) }
    }
    return (order.filter(one.contains) + order.filter(many.contains)).map { Slot(property: $0) }
  }

  private static func dictionaryOrder(_ entity: SchemaEntity) -> [String]? {
    var dictionary = PropertyDictionary()
    var keys = ["_ent", "_pk", "_opt"]
    keys += entity.attributes.filter { !$0.description.isTransient }.flatMap { $0.leaves.map(\.path) }
    var orderKeys: [String] = []
    for relationship in entity.relationships {
      if case .toOne(let column, let entityColumn, let orderColumn) = relationship.predicted {
        keys += ["_" + column] + (entityColumn.map { ["_" + $0] } ?? [])
        orderKeys += orderColumn.map { ["_" + $0] } ?? []
      }
      if relationship.predicted != .none { keys.append(relationship.name) }
    }
    for key in keys + orderKeys {
      guard dictionary.insert(key) else { return nil }
    }
    return dictionary.order
  }
}

/// The order in which Core Data lists an entity's to-many relationships in a change mask: that of a dictionary from
/// property names, which is a matter of hashing.
///
/// Reproduced from the published behavior of CFString's hash and of an open-addressed table, and confirmed on real
/// stores: of more than a thousand masks with several candidates every one named the relationship whose other side
/// changed in the same transaction.
struct PropertyDictionary {
  /// The table's sizes, and how many keys each holds before the next is taken.
  private static let sizes = [3, 7, 13, 23, 41, 71, 127, 191, 251, 383, 631, 1087, 1723, 2803, 4523, 7351]
  private static let limits = [3, 6, 11, 19, 32, 52, 85, 118, 155, 237, 390, 672, 1065, 1732, 2795, 4543]

  private var slots = [String?](repeating: nil, count: sizes[0])
  private var size = 0
  private var count = 0

  /// Keys from the first slot to the last.
  var order: [String] { slots.compactMap { $0 } }

  /// False where the dictionary is larger than is known to be right.
  mutating func insert(_ key: String) -> Bool {
    if count == Self.limits[size] {
      guard size + 1 < Self.sizes.count else { return false }
      let keys = order
      size += 1
      slots = [String?](repeating: nil, count: Self.sizes[size])
      for key in keys { place(key) }
    }
    count += place(key) ? 1 : 0
    return true
  }

  @discardableResult
  private mutating func place(_ key: String) -> Bool {
    var slot = Int(Self.hash(key) % UInt64(slots.count))
    while let other = slots[slot] {
      if other == key { return false }
      slot = (slot + 1) % slots.count
    }
    slots[slot] = key
    return true
  }

  /// Over UTF-16, at most 96 units: the first, middle and last 32 of a longer string.
  static func hash(_ text: String) -> UInt64 {
    var units = Array(text.utf16)
    let length = units.count
    if length > 96 {
      let middle = length / 2 - 16
      units = Array(units[..<32] + units[middle..<middle + 32] + units[(length - 32)...])
    }
    var hash = UInt64(length)
    var index = 0
    while index + 4 <= units.count {
      hash =
        hash &* 67_503_105 &+ UInt64(units[index]) &* 16_974_593 &+ UInt64(units[index + 1]) &* 66_049
        &+ UInt64(units[index + 2]) &* 257 &+ UInt64(units[index + 3])
      index += 4
    }
    while index < units.count {
      hash = hash &* 257 &+ UInt64(units[index])
      index += 1
    }
    return hash &+ hash << UInt64(length & 31)
  }
}

/// Which attribute each ZTOMBSTONE column holds for an entity.
///
/// First those that the model names under the user-info key `NSPersistentHistoryTombstoneAttributes`, then those
/// marked to be preserved on deletion, inherited ones first; the same for the entity above; each once.
package enum TombstoneNames {
  package static func attributes(of entity: SchemaEntity, in schema: StoreSchema) -> [SchemaAttribute] {
    var result: [SchemaAttribute] = []
    func add(_ attribute: SchemaAttribute) {
      if !result.contains(where: { $0.path == attribute.path }) { result.append(attribute) }
    }
    var next: SchemaEntity? = entity
    var depth = 0
    while let entity = next, depth < 64 {
      let listed = entity.description?.userInfo["NSPersistentHistoryTombstoneAttributes"] ?? ""
      for name in listed.split(separator: ",") {
        let name = name.drop { $0 == " " }
        if let attribute = entity.attributes.first(where: { $0.name == name }) { add(attribute) }
      }
      entity.attributes.filter(\.description.preservesValueOnDeletion).forEach(add)
      next = entity.parent.flatMap { schema[$0] }
      depth += 1
    }
    return result
  }
}
