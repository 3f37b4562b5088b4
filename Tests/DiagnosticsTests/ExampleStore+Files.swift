import Forge
import Foundation
import SQLite
import StoreModel

extension ExampleStore {
  /// As `plain`, with another kind of store.
  static func plain(
    _ path: String, model: ManagedObjectModel = ExampleStore.model, options: ForgeOptions,
    _ change: (StoreForge) throws -> Void = { _ in }
  ) throws {
    let forge = try StoreForge(path: path, model: model, options: options)
    try forge.save(author: "app") { _ = try $0.insert("Tag", ["label": "family"]) }
    try change(forge)
    try close(forge)
  }

  /// The newest transaction is in the -wal only.
  static func withWAL(_ path: String) throws {
    let forge = try StoreForge(path: path, model: model)
    try forge.save(author: "app") { _ = try $0.insert("Person", ["name": "Ann"]) }
    try forge.checkpoint()
    try forge.save(author: "app") { _ = try $0.insert("Person", ["name": "Ben"]) }
    try forge.close(leaving: .walWithoutIndex)
  }

  /// What the save wrote before it was rolled back stays behind the last commit.
  static func withRolledBackSave(_ path: String) throws {
    let forge = try StoreForge(path: path, model: model)
    try forge.save(author: "app") { _ = try $0.insert("Person", ["name": "Ann"]) }
    // More than the cache has room for is written before the end.
    try forge.connection.execute(
      """
      PRAGMA cache_size = 5; BEGIN; CREATE TABLE spilled AS WITH RECURSIVE n(i) AS
        (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) SELECT randomblob(1000) FROM n; ROLLBACK
      """)
    try forge.save(author: "app") { _ = try $0.insert("Person", ["name": "Ben"]) }
    try forge.close(leaving: .walWithoutIndex)
  }

  /// Every page is in the -wal.
  static func inWALAlone(_ path: String) throws {
    let forge = try StoreForge(path: path, model: model)
    try forge.save(author: "app") { _ = try $0.insert("Person", ["name": "Ann"]) }
    try forge.connection.execute("VACUUM")
    try forge.close(leaving: .walWithoutIndex)
  }

  /// The main file grew by many pages after `early`, and the newest transaction added some that are in the -wal only.
  static func largeWithWAL(_ path: String, early: () throws -> Void = {}) throws {
    let forge = try StoreForge(path: path, model: model)
    func grow() throws {
      try forge.save(author: "app") { save in
        for _ in 0..<300 { _ = try save.insert("Note", ["text": .text(String(repeating: "x", count: 800))]) }
      }
    }
    try forge.checkpoint()
    try early()
    try grow()
    try forge.checkpoint()
    try grow()
    try forge.close(leaving: .walWithoutIndex)
  }

  static func move(_ path: String, to other: String) throws {
    try? FileManager.default.removeItem(atPath: other)
    try FileManager.default.moveItem(atPath: path, toPath: other)
  }

  static func size(_ path: String) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
  }

  static func overwrite(_ path: String, at offset: Int, with bytes: [UInt8]) throws {
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try file.seek(toOffset: UInt64(max(0, offset)))
    try file.write(contentsOf: Data(bytes))
    try file.close()
  }

  static func cut(_ path: String, to size: Int) throws {
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try file.truncate(atOffset: UInt64(size))
    try file.close()
  }
}
