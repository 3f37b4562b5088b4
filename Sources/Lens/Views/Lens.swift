import SQLite
package import StoreModel

/// The model's names in SQL: functions and temporary views on the store's own connection. Views that nobody asks
/// cost nothing, and nothing is written to the store: they live in SQLite's `temp` database.
package enum Lens {
  /// Call it once a connection, before `allowOnlyReading()`.
  package static func install(in store: CoreDataStore) throws {
    try LensFunctions.install(in: store)
    try PropertyRow.install(in: store)
    try list([], in: store)
    for view in try views(of: store) { try store.connection.execute(view.creation) }
  }

  /// Adds views that rest on more than the model and history.
  package static func add(_ views: [View], in store: CoreDataStore) throws {
    try list(views, in: store)
    for view in views { try store.connection.execute(view.creation) }
  }

  /// Views of history and of the model: the framework's tables first, then entities, then their to-many relationships.
  package static func views(of store: CoreDataStore) throws -> [View] {
    var views = [View.properties, View.views]
    if try store.connection.hasTable("Z_PRIMARYKEY") { views.append(.entities) }
    let tables = FrameworkTables(store.tables)
    if tables.hasHistory { views += [.transactions(tables), .changes(tables)] }
    let entities = store.schema.entities.filter { store.tables.has($0.table) }
    let names = ViewNames.views(for: store.schema.entities.map(\.name))
    views += entities.map { .entity($0, named: names[$0.name] ?? $0.name, in: store) }
    let links = entities.flatMap { entity in entity.relationships.map { (entity, $0) } }
    let linkNames = ViewNames.links(
      links.map { entity, relationship in "\(names[entity.name] ?? entity.name)_\(relationship.name)" },
      entities: names)
    return views
      + zip(links, linkNames).compactMap { link, name in
        .link(link.1, of: link.0, named: name, in: store)
      }
  }

  /// What `SELECT * FROM views` reads; made when it is asked.
  private static func list(_ more: [View], in store: CoreDataStore) throws {
    try store.connection.addTable(name: "lens_views", columns: ["name", "column", "type", "meaning"]) {
      let views = try views(of: store)
      var rows = (views + more).flatMap { view in
        view.columns.map { column -> [SQLiteValue] in
          [.text(view.name), .text(column.name), .text(column.type.rawValue), .text(column.meaning)]
        }
      }[...]
      return { rows.popFirst() }
    }
  }
}
