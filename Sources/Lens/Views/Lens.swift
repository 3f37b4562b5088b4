import SQLite
import StoreModel

/// The model's names in SQL: temporary views on the store's own connection.
enum Lens {
  /// Makes all views; those of the mirror are given.
  static func install(in store: CoreDataStore, _ tables: FrameworkTables, with mirrorViews: [View]) throws {
    try PropertyRow.install(in: store)
    try list(mirrorViews, in: store, tables)
    for view in try views(of: store, tables) + mirrorViews { try store.connection.execute(view.creation) }
  }

  /// Views of history and of the model: the framework's tables first, then entities, then their to-many relationships.
  private static func views(of store: CoreDataStore, _ tables: FrameworkTables) throws -> [View] {
    var views = [View.properties, View.views]
    if try store.connection.hasTable("Z_PRIMARYKEY") { views.append(.entities) }
    if tables.hasHistory { views += [.transactions(tables), .changes(tables)] }
    let entities = store.schema.entities.filter { store.tables.has($0.table) }
    let names = ViewNames.views(for: store.schema.entities.map(\.name))
    views += entities.map { .entity($0, named: names[$0.name] ?? $0.name, in: store) }
    return views
      + ViewNames.links(of: store).compactMap { link in
        .link(link.relationship, of: link.entity, named: link.view, in: store)
      }
  }

  /// What `SELECT * FROM views` reads; made when it is asked.
  private static func list(
    _ mirrorViews: [View], in store: CoreDataStore, _ tables: FrameworkTables
  ) throws {
    try store.connection.addTable(name: "lens_views", columns: ["name", "column", "type", "meaning"]) {
      let views = try views(of: store, tables)
      var rows = (views + mirrorViews).flatMap { view in
        view.columns.map { column -> [SQLiteValue] in
          [.text(view.name), .text(column.name), .text(column.type.rawValue), .text(column.meaning)]
        }
      }[...]
      return { rows.popFirst() }
    }
  }
}
