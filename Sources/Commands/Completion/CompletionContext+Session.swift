import Lens
import SQLite
import StoreModel

extension CompletionContext {
  private static let longestList = 1000
  private static let transactionsLookedAt = 200_000

  /// What the store offers besides, read in one go. It takes as long as opening the store and its model does, and
  /// looks at history's newest transactions only. What can't be read is left out: completion never complains.
  package static func make(_ session: Session) -> CompletionContext {
    var context = withoutStore()
    guard let open = try? session.open() else { return context }
    let store = open.store
    let names = store.schema.entities.map(\.name)
    context.tables = store.tables.tables.map { Table(name: $0.key, columns: $0.value.map(\.name)) }
      .sorted { $0.name < $1.name }
    context.frameworkTables = FrameworkTableRows.names(in: store).flatMap { name in
      [name] + (FrameworkTable(rawValue: name.uppercased()).map { [$0.entity] } ?? [])
    }
    context.views = (try? views(of: open.lens())) ?? []
    let columns = Dictionary(context.views.map { ($0.name, $0.columns) }, uniquingKeysWith: { one, _ in one })
    context.entities = store.schema.entities.map { entity in
      Entity(
        name: entity.name, attributes: entity.attributes.flatMap(\.leaves).map(\.path),
        columns: columns[ViewNames.view(for: entity.name, among: names)] ?? [])
    }
    context.authors = (try? authors(store.connection)) ?? []
    context.zones = (try? zones(store.connection)) ?? []
    return context
  }

  /// From the list that views are made of.
  private static func views(of store: CoreDataStore) throws -> [Table] {
    var tables: [Table] = []
    try store.connection.forEachRow("SELECT name, \"column\" FROM temp.views") { row in
      let name = row.text(0)
      if tables.last?.name != name { tables.append(Table(name: name, columns: [])) }
      tables[tables.count - 1].columns.append(row.text(1))
    }
    return tables
  }

  private static func authors(_ connection: Connection) throws -> [String] {
    try connection.rows(
      """
      SELECT DISTINCT author FROM (
        SELECT author FROM temp.transactions ORDER BY "transaction" DESC LIMIT \(transactionsLookedAt))
      WHERE author IS NOT NULL ORDER BY 1 LIMIT \(longestList)
      """
    ) { $0.name(0) }
  }

  private static func zones(_ connection: Connection) throws -> [String] {
    try connection.rows(
      "SELECT DISTINCT name FROM temp.zones WHERE name IS NOT NULL ORDER BY 1 LIMIT \(longestList)"
    ) { $0.name(0) }
  }
}
