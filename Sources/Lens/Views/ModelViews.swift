extension View {
  /// One row per entity that the store numbers, the framework's own too.
  package static let entities = View(
    "entities", rows: "entity, including the framework's own (from number 16000 on)",
    [
      Column("name", .text, "the model's name", "entity_name(p.Z_ENT)").open,
      Column("number", .integer, "its number in this store", "p.Z_ENT").open,
      Column("parent", .text, "the entity it inherits from", "entity_name(NULLIF(p.Z_SUPER, 0))").open,
      Column("table", .text, "the table of its rows", "entity_table(p.Z_ENT)").open,
      Column("rows", .integer, "objects of exactly this entity", "entity_rows(p.Z_ENT)").open,
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
      Column("entity", .text, "the entity that has it", "entity").open,
      Column("name", .text, "the property", "name").open,
      Column("kind", .text, "attribute or relationship", "kind").open,
      Column("type", .text, "the attribute's type, or the relationship's destination", "type").open,
      Column("column", .text, "the column that stores it; NULL if none does", "\"column\"").open,
      Column("optional", .bool, "whether it may have no value", "optional").open,
      Column("destination", .text, "the entity that a relationship leads to", "destination").open,
      Column("inverse", .text, "the relationship that leads back", "inverse").open,
      Column("toMany", .bool, "whether it leads to many objects", "toMany").open,
      Column("ordered", .bool, "whether these have an order", "ordered").open,
      Column("transient", .bool, "whether it isn't kept in the store", "\"transient\"").open,
      Column("derived", .bool, "whether Core Data computes it", "derived").open,
      Column("inherited", .bool, "whether a parent entity declares it", "inherited").open,
      Column(
        "externalStorage", .bool, "whether large values may be in separate files", "externalStorage"
      ).open,
    ], from: "lens_properties")

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
