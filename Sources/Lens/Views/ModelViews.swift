package import Base
import SQLite
package import StoreModel

/// One entity of the model, with its number of objects.
package struct EntityRow: HasFields {
  private let entity: SchemaEntity
  private let parent: String?
  private let rows: Int

  package init(_ entity: SchemaEntity, in schema: StoreSchema, rows: Int) {
    self.entity = entity
    parent = entity.parent.flatMap { schema[$0]?.name }
    self.rows = rows
  }

  package static let fields: [Field<Self>] = [
    Field("name", "the model's name") { $0.entity.name },
    Field("number", "its number in this store") { $0.entity.number },
    Field("parent", "the entity it inherits from") { $0.parent },
    Field("table", "the table of its rows") { $0.entity.table },
    Field("rows", "objects of exactly this entity") { $0.rows },
  ]
}

/// One property of an entity, as `entities` prints it and the view `properties` has it.
package struct PropertyRow: HasFields {
  package let name: String
  package var kind = "attribute"
  package let type: String
  package let column: String?
  package let isOptional: Bool
  package var destination: String?
  package var inverse: String?
  package var isToMany = false
  package var isOrdered = false
  package let isTransient: Bool
  package var isDerived = false
  package let isInherited: Bool
  package var isStoredExternally = false

  package static let fields: [Field<Self>] = [
    Field("name", "the property") { $0.name },
    Field("kind", .words(["attribute", "relationship"]), "attribute or relationship") { $0.kind },
    Field("type", "the attribute's type, or the relationship's destination") { $0.type },
    Field("column", "the column that stores it; null if none does") { $0.column },
    Field("optional", "whether it may have no value") { $0.isOptional },
    Field("destination", "the entity that a relationship leads to") { $0.destination },
    Field("inverse", "the relationship that leads back") { $0.inverse },
    Field("toMany", "whether it leads to many objects") { $0.isToMany },
    Field("ordered", "whether these have an order") { $0.isOrdered },
    Field("transient", "whether it isn't kept in the store") { $0.isTransient },
    Field("derived", "whether Core Data computes it") { $0.isDerived },
    Field("inherited", "whether a parent entity declares it") { $0.isInherited },
    Field("externalStorage", "whether large values may be in separate files") { $0.isStoredExternally },
  ]

  /// All of an entity; a composite is followed by its elements, under their dotted paths.
  package static func all(of entity: SchemaEntity) -> [PropertyRow] {
    entity.attributes.flatMap(rows) + entity.relationships.map(row)
  }

  static func install(in store: CoreDataStore) throws {
    try store.connection.addTable(name: "lens_properties", columns: ["entity"] + fields.map(\.name)) {
      var rows = store.schema.entities.flatMap { entity in
        all(of: entity).map { row in [.text(entity.name)] + fields.map { cell($0.value(row)) } }
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
    let own = PropertyRow(
      name: attribute.path, type: description.type.name, column: column, isOptional: description.isOptional,
      isTransient: description.isTransient, isDerived: description.isDerived,
      isInherited: attribute.isInherited, isStoredExternally: description.allowsExternalStorage)
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
    return PropertyRow(
      name: relationship.name, kind: "relationship", type: description.destination, column: column,
      isOptional: description.isOptional, destination: description.destination,
      inverse: description.inverse, isToMany: description.isToMany, isOrdered: description.isOrdered,
      isTransient: description.isTransient, isInherited: relationship.isInherited)
  }
}

extension View {
  private static let keys = EntityRow.fields.keys()

  /// One row per entity that the store numbers, the framework's own too.
  package static let entities = View(
    "entities", rows: "entity, including the framework's own (from number 16000 on)",
    [
      Column("name", of: keys, "entity_name(p.Z_ENT)").open, Column("number", of: keys, "p.Z_ENT").open,
      Column("parent", of: keys, "entity_name(NULLIF(p.Z_SUPER, 0))").open,
      Column("table", of: keys, "entity_table(p.Z_ENT)").open,
      Column("rows", of: keys, "entity_rows(p.Z_ENT)").open,
      Column(
        "highestKey", .integer, "the highest primary key handed out, kept at the root of a hierarchy",
        "p.Z_MAX"
      ).open,
      Column(
        "nameInStore", .text, "the name in the store, older than the model's after a renaming", "p.Z_NAME"
      ).open,
    ], from: "main.Z_PRIMARYKEY p")

  /// One row per property of an entity.
  package static let properties = View(
    "properties", rows: "property of an entity, including inherited ones and a composite's elements",
    [
      Column("entity", .text, "the entity that has it", "entity").open
    ] + PropertyRow.fields.map { Column($0.name, of: [$0.key], quotedIdentifier($0.name)).open },
    from: "lens_properties")

  /// One row per column of a view: this list itself.
  package static let views = View(
    "views", rows: "column of a view",
    [
      Column("name", .text, "the view", "name").open,
      Column("column", .text, "the column", "\"column\"").open,
      Column("type", .text, "integer, real, text, bool, date, uuid, uri, json, blob or any", "type").open,
      Column("meaning", .text, "what it means", "meaning").open,
    ], from: "lens_views")
}
