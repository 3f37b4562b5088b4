import SQLite
import StoreModel

/// The count of keys that Z_PRIMARYKEY keeps for a root entity, and the highest one in use.
struct KeyCounter {
  var entity: String
  var table: String
  var lastKey: Int64
  var highestKey: Int64

  /// Of the app's entities and of the framework's, in the order of their numbers; one look at the end of each table.
  static func all(_ store: CoreDataStore) throws -> [KeyCounter] {
    var counters: [KeyCounter] = []
    func add(_ row: PrimaryKeyTable.Row, _ name: String, _ table: String) throws {
      guard store.tables.columns(of: table).contains(where: { $0.name == "Z_PK" }) else { return }
      let highest = try store.connection.first("SELECT MAX(Z_PK) FROM main.\(quotedIdentifier(table))") {
        $0.optionalInteger(0)
      }
      guard let highest = highest.flatMap(\.self) else { return }
      counters.append(KeyCounter(entity: name, table: table, lastKey: row.lastKey, highestKey: highest))
    }
    for row in store.primaryKeys.user where row.parent == nil {
      guard let entity = store.schema[row.number], entity.parent == nil else { continue }
      try add(row, entity.name, entity.table)
    }
    // `CHANGE` lies in ACHANGE, `NSCKRecordMetadata` in ANSCKRECORDMETADATA.
    for row in store.primaryKeys.framework where row.parent == nil {
      try add(row, row.name, "A" + row.name.uppercased())
    }
    return counters
  }
}
