import SQLite
import StoreModel

/// The model's names in SQL: temporary views on the store's own connection.
enum Lens {
  /// Makes all views; those of the mirror are given.
  static func install(in store: CoreDataStore, _ tables: FrameworkTables, with mirrorViews: [View]) throws {
    try PropertyRow.install(in: store)
    try list(mirrorViews, in: store, tables, \.columns)
    for view in try views(of: store, tables) + mirrorViews { try store.connection.execute(view.creation) }
  }

  /// In place of these, views with what may be seen while values are withheld.
  static func withhold(
    in store: CoreDataStore, _ tables: FrameworkTables, with mirrorViews: [View], _ names: ShownNames
  ) throws {
    try names.install(in: store.connection)
    try PropertyRow.install(in: store)
    try list(mirrorViews, in: store, tables, \.openColumns)
    let views = try views(of: store, tables) + mirrorViews
    for view in views {
      try store.connection.execute(view.removal)
      try store.connection.execute(view.openCreation)
    }
  }

  /// What SQL may ask then. A table of the store may be called like a function of SQLite's, and would come first.
  static func openNames(
    in store: CoreDataStore, _ tables: FrameworkTables, with mirrorViews: [View]
  ) throws -> AskedNames {
    let functions = try SQLFunction.asTables.filter { try !store.connection.hasTable($0) }
    return try AskedNames(
      tables: (views(of: store, tables) + mirrorViews).map(\.name) + functions,
      functions: SQLFunction.openNames)
  }

  /// A connection without the store, on which only such SQL compiles as asks what may be seen while values are withheld.
  ///
  /// SQLite's authorizer alone isn't enough: it isn't asked about columns that a join compares by USING or NATURAL, and
  /// takes a table that the SQL itself defines in a WITH clause for the view of that name.
  /// https://www.sqlite.org/c3ref/set_authorizer.html
  static func model(
    of store: CoreDataStore, _ tables: FrameworkTables, with mirrorViews: [View]
  ) throws -> Connection {
    let connection = try Connection(path: ":memory:", options: OpenOptions(.readWrite(create: true)))
    try DateOrder.install(in: connection)
    try ShownNames { _, name in name }.install(in: connection)
    for function in SQLFunction.all where function.isOpen && function.name != DateOrder.function {
      try connection.addFunction(name: function.name, argumentCount: nil) { _ in .null }
    }
    for view in try views(of: store, tables) + mirrorViews { try connection.execute(view.emptyCreation) }
    connection.allowOnlyReading(try openNames(in: store, tables, with: mirrorViews))
    return connection
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
    _ mirrorViews: [View], in store: CoreDataStore, _ tables: FrameworkTables,
    _ columns: @escaping (View) -> [View.Column]
  ) throws {
    try store.connection.addTable(name: "lens_views", columns: ["name", "column", "type", "meaning"]) {
      let views = try views(of: store, tables)
      var rows = (views + mirrorViews).flatMap { view in
        columns(view).map { column -> [SQLiteValue] in
          [.text(view.name), .text(column.name), .text(column.type.rawValue), .text(column.meaning)]
        }
      }[...]
      return { rows.popFirst() }
    }
  }
}
