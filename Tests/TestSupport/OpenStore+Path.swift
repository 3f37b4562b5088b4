import Evidence
package import Lens
package import SQLite

extension OpenStore {
  /// The store at that path as commands open it.
  package convenience init(at path: String, modelPath: String? = nil) throws {
    try self.init(StoreOpener.open(path: path), path: path, modelPath: modelPath)
  }

  /// What SQL with the model's names finds.
  package func rows(_ sql: String) throws -> [[SQLiteValue]] {
    _ = try lens()
    return try connection.rows(sql) { $0.values }
  }
}
