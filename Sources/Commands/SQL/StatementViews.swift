import Lens
import SQLite
import StoreModel

/// The views that a statement names, and their columns.
struct StatementViews {
  struct Column {
    let view: String
    /// What the statement calls the view.
    let source: String
    let name: String
    let type: View.ColumnType?
  }

  let columns: [Column]
  /// All that the store has.
  let names: [String]

  /// - Parameter entity: that of a condition, which names no view.
  init(_ tokens: SQLTokens, of entity: SchemaEntity?, in store: CoreDataStore) throws {
    let sources =
      entity == nil
      ? tokens.sources() : tokens.entities(or: entity, in: store).map { .init(table: $0.name, name: $0.name) }
    let all = try store.connection.rows("SELECT name, \"column\", type FROM temp.views") {
      (view: $0.text(0), name: $0.text(1), type: View.ColumnType(rawValue: $0.text(2)))
    }
    var seen: Set<String> = []
    names = all.map(\.view).filter { seen.insert($0).inserted }
    columns = sources.flatMap { source in
      all.filter { $0.view.lowercased() == source.table.lowercased() }
        .map { Column(view: $0.view, source: source.name, name: $0.name, type: $0.type) }
    }
  }

  /// Of the columns that a name may be, with what the statement calls its view in front or without.
  func types(of path: String) -> [View.ColumnType?] {
    let path = path.lowercased()
    return columns.filter { column in
      let name = column.name.lowercased()
      return name == path || "\(column.source.lowercased()).\(name)" == path
    }.map(\.type)
  }
}
