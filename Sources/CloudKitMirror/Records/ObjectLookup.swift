import SQLite
import StoreModel

/// SQL that finds an object by entity number and primary key, whatever table it lies in.
enum ObjectLookup {
  /// An expression over the two columns: the Z_ENT of the object's row, -1 where the row has none, NULL where there is
  /// no row or no such entity. One look into one table for each record, so that a million of them stream.
  static func entityNumber(entity: String, primaryKey: String, in store: CoreDataStore) -> String {
    var tables: [String: [Int64]] = [:]
    for candidate in store.schema.entities { tables[candidate.table, default: []].append(candidate.number) }
    let cases = tables.keys.sorted().compactMap { table -> String? in
      let columns = Set(store.tables.columns(of: table).map { $0.name.uppercased() })
      guard columns.contains("Z_PK"), columns.contains("Z_ENT"), let numbers = tables[table] else {
        return nil
      }
      return """
        WHEN \(entity) IN (\(numbers.map(String.init).joined(separator: ", ")))
          THEN (SELECT COALESCE(r.Z_ENT, -1) FROM main.\(quotedIdentifier(table)) r WHERE r.Z_PK = \(primaryKey))
        """
    }
    return cases.isEmpty ? "NULL" : "CASE \(cases.joined(separator: "\n")) END"
  }
}
