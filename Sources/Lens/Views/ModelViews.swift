import SQLite
import Values

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
