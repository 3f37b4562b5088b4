import Archives
import Base
import Forge
import Foundation
import Lens
import Operations
import SQLite
import StoreModel
import TestSupport

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
    folder = TemporaryFolder("operations")
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
    folder = TemporaryFolder("operations")
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
      operation, choices, on: Target(OpenStore(connection, path: path), file: FileIdentity(following: path)))
  }

  /// - Parameter plan: of a store of which this is a copy, where there are many; without it one is made.
  @discardableResult
  func apply(
    _ operation: String, _ choices: Choices = Choices(), shown plan: Plan? = nil,
    _ adjust: (inout Applier) -> Void = { _ in }
  ) throws -> Applied {
    var shown = try plan ?? self.plan(operation, choices)
    shown.subject.file = FileIdentity(following: path)
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

/// What iCloud holds of the store's zone.
final class Server {
  struct Record: Equatable {
    var entity: Int64
    var value: String?
  }

  /// By record name.
  var records: [String: Record] = [:]
  /// Names of the join records.
  var links: Set<String> = []
  /// Names of the records that were uploaded or deleted, in order.
  var uploaded: [String] = []
  var deleted: [String] = []

  init() {}

  /// What the exports so far have left there.
  init(_ content: StoreContent) {
    for row in content.rows("ANSCKRECORDMETADATA") {
      let entity = row.number("ZENTITYID")
      let object = ["ZPERSON", "ZTAG", "ZNOTE"].lazy.flatMap { content.rows($0) }.first {
        $0.number("Z_ENT") == entity && $0.number("Z_PK") == row.number("ZENTITYPK")
      }
      records[row.string("ZCKRECORDNAME") ?? ""] = Record(entity: entity, value: object?.string("ZNAME"))
    }
    links = Set(content.rows("ANSCKMIRROREDRELATIONSHIP").compactMap { $0.string("ZCKRECORDID") })
  }

  func empty() {
    records = [:]
    links = []
  }

  /// Values that several records have.
  var doubles: [String] {
    Dictionary(grouping: records.values.compactMap(\.value)) { $0 }.filter { $0.value.count > 1 }.keys
      .sorted()
  }
}

/// The history token as an archive.
enum TokenArchive {
  static let key = "NSCloudKitMirroringDelegateLastHistoryTokenKey"

  /// The transaction that a store's token names; nil where there is no token.
  static func number(_ content: StoreContent) throws -> Int64? {
    let entry = content.rows("ANSCKMETADATAENTRY").first { $0.string("ZKEY") == key }
    guard case .blob(let bytes)? = entry?["ZTRANSFORMEDVALUE"] else { return nil }
    return try transactions(bytes).values.first
  }

  static func transactions(_ bytes: [UInt8]) throws -> [String: Int64] {
    try HistoryToken(archive: bytes).transactions
  }

  static func bytes(_ number: Int64, store uuid: String) -> [UInt8] {
    let writer = KeyedArchiveWriter()
    let dictionary = writer.dictionary([(writer.string(uuid), writer.integer(number))])
    return writer.bytes(
      root: writer.object(
        "_NSPersistentHistoryToken", superclasses: ["NSPersistentHistoryToken", "NSObject"],
        fields: [("NSPersistentHistoryTokenDictionary", .reference(dictionary))]))
  }
}
