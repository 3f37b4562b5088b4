import CloudKitMirror
import SQLite
import StoreModel

/// A table and what happens to each of its columns.
struct RedactedTable {
  struct Column {
    var name: String
    /// The model's or the framework's name for it, or else the column's own.
    var label: String
    var content: ColumnContent
    /// Whether a unique index or a primary key watches over it.
    var isUnique: Bool
  }

  let name: String
  let label: String
  private(set) var columns: [Column] = []
  /// Where among them a row's entity is.
  let entityColumn: Int?
  /// The name by which the table knows its rows' numbers, where it has any that aren't a column.
  let rowNumber: String?

  /// - Parameter columns: those that can be written, in their order.
  init(_ table: SourceTable, in store: CoreDataStore) {
    name = table.name
    let contents = TableContents(table, in: store)
    label = contents.label
    columns = table.columns.map { column in
      Column(
        name: column.name, label: contents.label(of: column.name), content: contents.content(of: column),
        isUnique: column.isUnique)
    }
    entityColumn = contents.holdsObjects ? columns.firstIndex { $0.name.uppercased() == "Z_ENT" } : nil
    rowNumber = table.rowNumber
  }
}
