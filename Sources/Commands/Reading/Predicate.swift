import Lens
import SQLite
import StoreModel
import Values

/// The SQL behind `--where`.
enum Predicate {
  /// Refuses what isn't one condition over the entity's columns, in words that name the column or the reason.
  static func check(_ predicate: String, _ entity: SchemaEntity, in store: CoreDataStore) throws {
    let view = ViewNames.view(for: entity.name, among: store.schema.entities.map(\.name))
    do {
      try store.connection.onlyReading {
        _ = try store.connection.prepare(
          "SELECT 1 FROM temp.\(quotedIdentifier(view)) WHERE (\n\(predicate)\n)")
      }
    } catch let error as SQLiteError {
      let columns = try store.connection.prepare("SELECT * FROM temp.\(quotedIdentifier(view))").columnNames
      let hint = ColumnHint.sentence(for: error, columns: columns)
      throw StoreScopeError(
        .invalid,
        "The condition '\(predicate)' can't be used on \(entity.name) of '\(store.path)': \(Sentence.ended(error.message))\(hint)",
        about: predicate, advice: "'storescope entities' lists the properties")
    }
  }
}
