extension View {
  /// One row per entity that the store numbers, the framework's own too.
  package static let entities = View(
    "entities", rows: "entity, including the framework's own (from number 16000 on)",
    [
      Column("name", .text, "the model's name", "entity_name(p.Z_ENT)"),
      Column("number", .integer, "its number in this store", "p.Z_ENT"),
      Column("parent", .text, "the entity it inherits from", "entity_name(NULLIF(p.Z_SUPER, 0))"),
      Column("table", .text, "the table of its rows", "entity_table(p.Z_ENT)"),
      Column("rows", .integer, "objects of exactly this entity", "entity_rows(p.Z_ENT)"),
      Column(
        "highestKey", .integer, "the highest primary key handed out, kept at the root of a hierarchy",
        "p.Z_MAX"),
      Column(
        "nameInStore", .text, "the name in the store, older than the model's after a renaming", "p.Z_NAME"),
    ], from: "main.Z_PRIMARYKEY p")

  /// One row per property of an entity.
  package static let properties = View(
    "properties", rows: "property of an entity, including inherited ones and a composite's elements",
    [
      Column("entity", .text, "the entity that has it", "entity"),
      Column("name", .text, "the property", "name"),
      Column("kind", .text, "attribute or relationship", "kind"),
      Column("type", .text, "the attribute's type, or the relationship's destination", "type"),
      Column("column", .text, "the column that stores it; NULL if none does", "\"column\""),
      Column("optional", .bool, "whether it may have no value", "optional"),
      Column("destination", .text, "the entity that a relationship leads to", "destination"),
      Column("inverse", .text, "the relationship that leads back", "inverse"),
      Column("toMany", .bool, "whether it leads to many objects", "toMany"),
      Column("ordered", .bool, "whether these have an order", "ordered"),
      Column("transient", .bool, "whether it isn't kept in the store", "\"transient\""),
      Column("derived", .bool, "whether Core Data computes it", "derived"),
      Column("inherited", .bool, "whether a parent entity declares it", "inherited"),
      Column(
        "externalStorage", .bool, "whether large values may be in separate files", "externalStorage"),
    ], from: "lens_properties")

  /// One row per column of a view: this list itself.
  package static let views = View(
    "views", rows: "column of a view",
    [
      Column("name", .text, "the view", "name"),
      Column("column", .text, "the column", "\"column\""),
      Column("type", .text, "integer, real, text, bool, date, uuid, uri, json, blob or any", "type"),
      Column("meaning", .text, "what it means", "meaning"),
    ], from: "lens_views")
}
