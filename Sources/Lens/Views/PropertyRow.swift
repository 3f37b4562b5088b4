import SQLite
package import StoreModel
package import Values

/// One property of an entity, as `entities` prints it and the view `properties` has it.
package struct PropertyRow {
  private static let keys = [
    "name", "kind", "type", "column", "optional", "destination", "inverse", "toMany", "ordered", "transient",
    "derived", "inherited", "externalStorage",
  ]

  package let value: DataValue

  /// All of an entity; a composite is followed by its elements, under their dotted paths.
  package static func all(of entity: SchemaEntity) -> [PropertyRow] {
    entity.attributes.flatMap(rows) + entity.relationships.map(row)
  }

  static func install(in store: CoreDataStore) throws {
    try store.connection.addTable(name: "lens_properties", columns: ["entity"] + keys) {
      var rows = store.schema.entities.flatMap { entity in
        all(of: entity).map { row in [.text(entity.name)] + keys.map { Self.cell(row.value[$0]) } }
      }[...]
      return { rows.popFirst() }
    }
  }

  private static func cell(_ value: DataValue?) -> SQLiteValue {
    switch value {
    case .text(let text): .text(text)
    case .bool(let bool): .integer(bool ? 1 : 0)
    default: .null
    }
  }

  private static func rows(of attribute: SchemaAttribute) -> [PropertyRow] {
    let description = attribute.description
    let column = description.isEnumeration ? attribute.leaves.first?.column : attribute.column
    let own = PropertyRow(value: [
      "name": .text(attribute.path), "kind": "attribute", "type": .text(description.type.name),
      "column": .optional(column), "optional": .bool(description.isOptional), "destination": nil,
      "inverse": nil, "toMany": false, "ordered": false, "transient": .bool(description.isTransient),
      "derived": .bool(description.isDerived), "inherited": .bool(attribute.isInherited),
      "externalStorage": .bool(description.allowsExternalStorage),
    ])
    return [own] + (description.isEnumeration ? [] : attribute.elements.flatMap(rows))
  }

  private static func row(of relationship: SchemaRelationship) -> PropertyRow {
    let description = relationship.description
    let column: String? =
      switch relationship.storage {
      case .toOne(let column, _, _): column
      case .toMany(let table, let column, _, _, _): "\(table).\(column)"
      case .join(let table, _, let other, _): "\(table).\(other)"
      case .none: nil
      }
    return PropertyRow(value: [
      "name": .text(relationship.name), "kind": "relationship", "type": .text(description.destination),
      "column": .optional(column), "optional": .bool(description.isOptional),
      "destination": .text(description.destination), "inverse": .optional(description.inverse),
      "toMany": .bool(description.isToMany), "ordered": .bool(description.isOrdered),
      "transient": .bool(description.isTransient), "derived": false,
      "inherited": .bool(relationship.isInherited),
      "externalStorage": false,
    ])
  }
}
