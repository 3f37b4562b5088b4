import SQLite

/// A table as Core Data would create it.
package struct PredictedTable: Sendable, Equatable {
  package struct Column: Sendable, Equatable {
    package var name: String
    /// For example `INTEGER`. `Z_PK` has `INTEGER PRIMARY KEY`.
    package var declaredType: String
    /// The property that it stores, dotted for a composite's leaf; nil for Z_PK, Z_ENT and Z_OPT.
    package var property: String?
    /// The entity that declares the property.
    package var entity: String?
  }

  package var name: String
  /// In the order of the CREATE statement.
  package var columns: [Column]
  /// Columns of the primary key behind the column list; empty where Z_PK is the key, as in all but join tables.
  package var primaryKey: [String]
  package var indexes: [PredictedIndex]

  /// The text that Core Data has SQLite keep of the table. Names that aren't plain are quoted.
  package var createStatement: String {
    let list = columns.map { "\(sqlName($0.name)) \($0.declaredType)" }
    let key = primaryKey.isEmpty ? [] : ["PRIMARY KEY (\(primaryKey.map(sqlName).joined(separator: ", ")))"]
    return "CREATE TABLE \(sqlName(name)) ( \((list + key).joined(separator: ", ")) )"
  }
}

extension PredictedTable {
  /// What brings the table back, empty, with its indexes.
  var creation: [String] { [createStatement] + indexes.map(\.createStatement) }

  /// What brings a property's column back, without its values; nil if the table has no such column.
  /// - Parameter table: what the store calls the table.
  func addition(of column: String, to table: String) -> [String]? {
    columns.first { $0.name == column && !isKey($0) }.map {
      ["ALTER TABLE \(sqlName(table)) ADD COLUMN \(sqlName(column)) \($0.declaredType)"]
        + indexes.filter { $0.columns.contains(column) }.map(\.createStatement)
    }
  }

  /// Without them the rows that are there are of no use.
  private func isKey(_ column: Column) -> Bool {
    primaryKey.isEmpty ? column.property == nil : primaryKey.contains(column.name)
  }
}

/// An index as Core Data would create it. Fetch indexes, which only the model's author asks for, are left out.
package struct PredictedIndex: Sendable, Equatable {
  package var name: String
  package var table: String
  package var columns: [String]
  /// Made for a uniqueness constraint.
  package var isUnique: Bool

  package var createStatement: String {
    let list = columns.map { sqlName($0) + (isUnique ? " COLLATE BINARY ASC" : "") }
    return
      "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(sqlName(name)) ON \(sqlName(table)) (\(list.joined(separator: ", ")))"
  }
}

/// Core Data writes its names bare, and all that it makes up are plain; only a model's own can be otherwise.
private func sqlName(_ name: String) -> String {
  let isPlain = name.utf8.allSatisfy { byte in
    byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
  }
  return isPlain ? name : quotedIdentifier(name)
}
