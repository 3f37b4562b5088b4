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

  /// The mask of an update that touched these properties: what a writer of look-alike stores needs.
  package func encode(_ properties: Set<String>) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: byteCount)
    for (index, slot) in slots.enumerated() where properties.contains(slot.property) {
      bytes[index / 8] |= 0x80 >> UInt8(index % 8)
    }
    return bytes
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
