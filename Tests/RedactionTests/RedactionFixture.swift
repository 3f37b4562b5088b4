import Base
import Evidence
import Forge
import Lens
import Redaction
import SQLite
import StoreModel
import TestSupport

/// A forged store in a folder of its own, and its redacted copies.
struct RedactionFixture {
  let folder: TemporaryFolder
  let path: String
  var copyPath: String { folder.path("Copy.store") }

  init(folder: TemporaryFolder, path: String) {
    self.folder = folder
    self.path = path
  }

  /// - Parameter change: what is done to the store with SQL, outside Core Data.
  init(
    _ attributes: [AttributeDescription], options: ForgeOptions = ForgeOptions(),
    objects: [[String: ForgeValue]], _ change: (Connection) throws -> Void = { _ in }
  ) throws {
    folder = TemporaryFolder("redaction")
    path = folder.path("App.store")
    let model = ManagedObjectModel(entities: [EntityDescription(name: "Person", attributes: attributes)])
    let forge = try StoreForge(path: path, model: model, options: options)
    try forge.save(author: "the app") { save in
      for object in objects { _ = try save.insert("Person", object) }
    }
    try change(forge.connection)
    try forge.close()
  }

  @discardableResult
  func redact(
    _ options: RedactionOptions = RedactionOptions(marks: Marks(saltText: "test")),
    finish: () throws -> Void = {}
  ) throws -> StoreRedaction.Result {
    let open = try OpenStore(at: path)
    return try StoreRedaction(open, to: copyPath, options).run(
      finish: {
        try open.bytes().finish()
        try finish()
      }, progress: { _ in })
  }

  /// The values of a column in the copy, in the order of the keys.
  func values(_ sql: String) throws -> [SQLiteValue] {
    let opened = try StoreOpener.open(path: copyPath)
    // The copy's own views can be asked, as by SQL that a user writes.
    opened.connection.allowSchemaExpressions()
    defer { try? opened.finish() }
    return try opened.connection.rows(sql) { $0.value(0) }
  }

  /// The data in the first row.
  func bytes(_ sql: String) throws -> [UInt8] {
    guard case .blob(let bytes) = try values(sql).first else {
      throw StoreScopeError(.failed, "\(sql) gives no data")
    }
    return bytes
  }
}
