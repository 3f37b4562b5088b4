import SQLite
package import StoreModel

/// The model's names in SQL: functions and temporary views on the store's own connection. Views that nobody asks
/// cost nothing, and nothing is written to the store: they live in SQLite's `temp` database.
package enum Lens {
  /// Call it once a connection, before `allowOnlyReading()`.
  package static func install(in store: CoreDataStore) throws {
    try LensFunctions.install(in: store)
    let views = FrameworkViews(
      history: try HistoryTables(store.connection),
      hasPrimaryKeys: try store.connection.hasTable("Z_PRIMARYKEY"))
    try views.sql.forEach(store.connection.execute)
    let names = ViewNames.views(for: store.schema.entities.map(\.name))
    for entity in store.schema.entities where store.tables.has(entity.table) {
      let view = EntityView(
        entity: entity, name: names[entity.name] ?? entity.name,
        numbers: store.schema.descendants(of: entity).map(\.number))
      try store.connection.execute(view.sql)
    }
  }
}
