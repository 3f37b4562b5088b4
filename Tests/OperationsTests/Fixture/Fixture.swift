import Forge
import Foundation
import Lens
import Operations
import SQLite
import StoreModel
import SystemCalls
import TestSupport
import Values

/// A mirrored store with a bit of everything, and what the tests do to it.
struct Fixture {
  let folder: TemporaryFolder
  let path: String

  static let name = "App.store"

  static let model = FixtureModels.people(
    [AttributeDescription(name: "photo", type: .binary, allowsExternalStorage: true)], namesAll: true)

  /// People Ann, Ben, Cleo (an employee) and Dan, a tag and a note, all uploaded; two links.
  /// - Parameters:
  ///   - edits: SQL, run past the forge.
  ///   - change: what happens before the edits.
  init(
    _ layout: MirrorSchema.Layout = .v17, journal: ForgeOptions.Journal = .wal,
    scope: MirrorForge.Scope = .private, frameworkVersion: Int64 = 1526,
    leaving leftovers: StoreForge.Leftovers = .nothing, edits: [String] = [],
    _ change: (MirrorForge) throws -> Void = { _ in }
  ) throws {
    folder = try TemporaryFolder("operations")
    path = folder.path(Self.name)
    let forge = try StoreForge(
      path: path, model: Self.model,
      options: ForgeOptions(frameworkVersion: frameworkVersion, journal: journal, inlineLimit: 200))
    let mirror = try MirrorForge(forge, layout: layout, scope: scope)
    try mirror.setUp()
    try mirror.save(author: "app") { save in
      let photo = ForgeValue.bytes((0..<3000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
      let ann = try save.insert("Person", ["name": "Ann", "photo": photo])
      let ben = try save.insert("Person", ["name": "Ben"])
      _ = try save.insert("Employee", ["name": "Cleo"])
      _ = try save.insert("Person", ["name": "Dan"])
      let tag = try save.insert("Tag", ["name": "family"])
      let note = try save.insert("Note", ["name": "call"])
      try save.link(ann, "tags", tag)
      try save.link(ben, "tags", tag)
      try save.link(note, "owner", ann)
    }
    try mirror.export()
    try change(mirror)
    for edit in edits {
      do { try forge.connection.execute(edit) } catch { throw StoreScopeError(.failed, "\(edit): \(error)") }
    }
    try forge.close(leaving: leftovers)
  }

  /// A copy in a folder of its own.
  init(copying other: Fixture) throws {
    folder = try TemporaryFolder("operations")
    path = folder.path(Self.name)
    try FileManager.default.removeItem(atPath: folder.path)
    try FileManager.default.copyItem(atPath: other.folder.path, toPath: folder.path)
  }

  func content() throws -> StoreContent { try StoreContent(path) }

  func plan(_ operation: String, _ choices: Choices = Choices()) throws -> Plan {
    let connection = try Connection(path: path, options: .overlay())
    defer { connection.close() }
    let operation = try Self.operation(operation)
    return try Planner.plan(
      operation, choices,
      on: Target(OpenStore(connection, path: path), file: FileIdentity(following: path)))
  }

  @discardableResult
  func apply(
    _ operation: String, _ choices: Choices = Choices(), _ adjust: (inout Applier) -> Void = { _ in }
  ) throws -> Applied {
    let shown = try plan(operation, choices)
    var applier = Applier(path: path, version: "0.test")
    adjust(&applier)
    return try applier.apply(try Self.operation(operation), choices, shown: shown)
  }

  /// Runs SQL on the closed store as another tool would; foreign keys and hooks play no part.
  func execute(_ sql: String) throws {
    let connection = try Connection(
      path: path, options: OpenOptions(.readWrite(create: false), trustsSchema: true))
    defer { connection.close() }
    try connection.execute(sql)
  }

  static func operation(_ name: String) throws -> Operations.Operation {
    guard let operation = OperationRegistry.operation(name) else {
      throw StoreScopeError(.failed, "no \(name)")
    }
    return operation
  }

  /// Files that belong to the store, with their hashes: not what operations leave next to it.
  func files() throws -> [String: String] {
    try FileTree.hashes(folder.path) { name in
      name.hasPrefix(Self.name) && !name.dropFirst(Self.name.count).hasPrefix(".")
        || name.hasPrefix(".App_SUPPORT")
        || name.hasPrefix("App_ckAssets")
    }
  }
}

extension Choices {
  init(
    entity: String? = nil, serverZone: ServerZone? = nil, cloud: CloudCopies? = nil,
    before: CoreDataDate? = nil,
    discards: Bool = false
  ) {
    self.init()
    self.entity = entity
    self.serverZone = serverZone
    self.cloud = cloud
    self.before = before
    discardsPendingDeletes = discards
  }
}
