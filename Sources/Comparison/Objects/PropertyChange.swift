package import Values

/// What became of one property of one object.
package struct PropertyChange: Sendable, Equatable {
  package enum What: Sendable, Equatable {
    /// An attribute, or a to-one relationship as URI.
    case value(from: DataValue, to: DataValue)
    /// A to-many relationship: URIs of members that went and came, and whether those that stayed have another order.
    case links(removed: [String], added: [String], isReordered: Bool)
  }

  package var name: String
  package var what: What

  package var value: DataValue {
    switch what {
    case .value(let from, let to): ["name": .text(name), "from": from, "to": to]
    case .links(let removed, let added, let isReordered):
      [
        "name": .text(name), "removed": .array(removed.map(DataValue.text)),
        "added": .array(added.map(DataValue.text)), "reordered": .bool(isReordered),
      ]
    }
  }
}
