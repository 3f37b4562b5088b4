import CloudKitMirror
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
    guard let store = try? session.store() else { return context }
    let names = store.schema.entities.map(\.name)
    context.tables = store.tables.tables.map { Table(name: $0.key, columns: $0.value.map(\.name)) }
      .sorted { $0.name < $1.name }
    context.frameworkTables = FrameworkTableRows.names(in: store).flatMap { name in
      [name] + (FrameworkTable(rawValue: name.uppercased()).map { [$0.entity] } ?? [])
    }
    context.views = (try? views(of: session.lens())) ?? []
    let columns = Dictionary(context.views.map { ($0.name, $0.columns) }, uniquingKeysWith: { one, _ in one })
    context.entities = store.schema.entities.map { entity in
      Entity(
        name: entity.name, attributes: entity.attributes.flatMap(\.leaves).map(\.path),
        columns: columns[ViewNames.view(for: entity.name, among: names)] ?? [])
    }
    context.authors = (try? authors(store.connection)) ?? []
    context.zones = (try? zones(store)) ?? []
    return context
  }

  private static func views(of store: CoreDataStore) throws -> [Table] {
    let names = try store.connection.rows("SELECT name FROM temp.sqlite_schema WHERE type = 'view'") {
      $0.text(0)
    }
    return names.map { name in
      // A view of columns that the store lacks can't be asked: that one is without columns, not without the others.
      let columns = try? store.connection.rows(
        "SELECT name FROM pragma_table_info(?, 'temp') LIMIT \(longestList)", [.text(name)]
      ) { $0.text(0) }
      return Table(name: name, columns: columns ?? [])
    }
  }

  private static func authors(_ connection: Connection) throws -> [String] {
    guard let tables = try HistoryTables(connection) else { return [] }
    let columns = ["ZAUTHORTS", "ZAUTHOR"].filter(tables.transactionColumns.contains).joined(separator: ", ")
    guard !columns.isEmpty else { return [] }
    return try connection.rows(
      """
      SELECT DISTINCT \(tables.text("ZAUTHOR")) AS author FROM (SELECT DISTINCT \(columns) FROM
        (SELECT \(columns) FROM main.ATRANSACTION ORDER BY Z_PK DESC LIMIT \(transactionsLookedAt))
        LIMIT \(longestList)) t
      WHERE author IS NOT NULL ORDER BY 1
      """
    ) { $0.name(0) }
  }

  private static func zones(_ store: CoreDataStore) throws -> [String] {
    let tables = MirrorTables(store.tables)
    guard tables.has(.zones, "ZCKRECORDZONENAME") else { return [] }
    return try store.connection.rows(
      """
      SELECT DISTINCT ZCKRECORDZONENAME FROM main.ANSCKRECORDZONEMETADATA WHERE ZCKRECORDZONENAME IS NOT NULL
      ORDER BY 1 LIMIT \(longestList)
      """
    ) { $0.name(0) }
  }
}
