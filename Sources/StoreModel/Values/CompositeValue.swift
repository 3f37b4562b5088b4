package import Values

/// Puts a composite together again from its leaves.
package enum CompositeValue {
  /// `leaves` has the values by dotted path. Null where every leaf is: SwiftData stores an absent struct so.
  package static func assemble(_ attribute: SchemaAttribute, _ leaves: [String: DataValue]) -> DataValue {
    guard attribute.description.type == .composite, !attribute.description.isEnumeration else {
      return leaves[attribute.leaves.first?.path ?? ""] ?? .null
    }
    let members = attribute.elements.map { DataValue.Member($0.name, assemble($0, leaves)) }
    return members.allSatisfy { $0.value == .null } ? .null : .object(members)
  }
}
