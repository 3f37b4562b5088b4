package import StoreModel
package import Values

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
