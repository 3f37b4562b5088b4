/// An attribute and where its value lies.
package struct SchemaAttribute: Sendable {
  package var description: AttributeDescription
  /// Dotted path from the entity: `name`, or `address.street` for a composite's leaf.
  package var path: String
  /// Nil for transient attributes and composites, and where the table lacks the predicted column.
  package var column: String?
  /// A composite's elements.
  package var elements: [SchemaAttribute]
  package var isInherited: Bool
  /// Number of the entity that declares it; 0 where that isn't known.
  package var declaredBy: Int64

  package init(
    description: AttributeDescription, path: String, column: String?, elements: [SchemaAttribute] = [],
    isInherited: Bool = false, declaredBy: Int64 = 0
  ) {
    self.description = description
    self.path = path
    self.column = column
    self.elements = elements
    self.isInherited = isInherited
    self.declaredBy = declaredBy
  }

  package var name: String { description.name }

  /// Itself, or a composite's leaves however deep, in order.
  package var leaves: [SchemaAttribute] {
    description.type == .composite ? elements.flatMap(\.leaves) : [self]
  }
}
