import Base
import Forge
import Foundation
import SQLite
import StoreModel
import Synchronization
import TestSupport
import Testing

/// The demo store in a folder of its own, and the truth of what it holds. It is forged once, and copied.
struct Demo {
  let folder: TemporaryFolder
  let path: String
  let truth: ForgeTruth
  let mirror: MirrorTruth
  let uuid: String

  /// What an edit may change, past the truth.
  struct Edited {
    let path: String
    let connection: Connection
  }

  private struct Original {
    let folder: TemporaryFolder
    let truth: ForgeTruth
    let mirror: MirrorTruth
    let uuid: String

    /// With its last commits in the WAL.
    init() throws {
      folder = TemporaryFolder("demo-original")
      let forged = try DemoStore.mirror(in: folder.path)
      (truth, mirror, uuid) = (forged.forge.truth, forged.truth, forged.forge.options.uuid)
      try forged.forge.close(leaving: .wal)
    }
  }

  private static let original = Mutex<Original?>(nil)

  /// Destroys the beginning of every fifth page.
  func damagePages() throws {
    var bytes = try folder.read(DemoStore.fileName)
    for page in stride(from: 4096 * 3, to: bytes.count, by: 4096 * 5) {
      for offset in 0..<64 { bytes[page + offset] = 0xFF }
    }
    try folder.write(bytes, to: DemoStore.fileName)
  }

  init(leaving leftovers: StoreForge.Leftovers = .wal, _ edit: ((Edited) throws -> Void)? = nil) throws {
    let folder = TemporaryFolder("demo")
    (truth, mirror, uuid) = try Self.original.withLock { original in
      let made = try original ?? Original()
      original = made
      for name in try made.folder.names() {
        try FileManager.default.copyItem(atPath: made.folder.path(name), toPath: folder.path(name))
      }
      return (made.truth, made.mirror, made.uuid)
    }
    self.folder = folder
    path = folder.path(DemoStore.fileName)
    if let edit { try Self.withConnection(path) { try edit(Edited(path: path, connection: $0)) } }
    if leftovers == .nothing || leftovers == .emptyWAL { try execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    // As `StoreForge.close` leaves them.
    if leftovers == .nothing { Files.remove(path + "-wal") }
    if leftovers == .nothing || leftovers == .walWithoutIndex { Files.remove(path + "-shm") }
  }

  /// Runs a command on it: the store comes behind the first word.
  func run(_ words: [String], environment: [String: String] = [:]) throws -> Tool.Result {
    try Tool.run(Readings.arguments(words, path), environment: environment)
  }

  func run(_ words: String..., environment: [String: String] = [:]) throws -> Tool.Result {
    try run(words, environment: environment)
  }

  /// What a command prints with `--json`, where it is done.
  func json(_ words: [String], sourceLocation: SourceLocation = #_sourceLocation) throws -> [String: Any] {
    try Tool.json(Readings.arguments(words, path), sourceLocation: sourceLocation)
  }

  func json(_ words: String..., sourceLocation: SourceLocation = #_sourceLocation) throws -> [String: Any] {
    try json(words, sourceLocation: sourceLocation)
  }

  /// As an app does it, which leaves the -wal.
  func execute(_ sql: String) throws { try Self.execute(sql, at: path) }

  static func execute(_ sql: String, at path: String) throws {
    try withConnection(path) { try $0.execute(sql) }
  }

  private static func withConnection(_ path: String, _ body: (Connection) throws -> Void) throws {
    var options = OpenOptions(.readWrite(create: false), trustsSchema: true)
    options.keepsWAL = true
    let connection = try Connection(path: path, options: options)
    defer { connection.close() }
    try body(connection)
  }

  /// How many objects of each entity there were after the transaction, told from the changes.
  func counts(after transaction: Int64) -> [String: Int] {
    var counts: [String: Int] = [:]
    for change in truth.changes where change.transaction <= transaction {
      switch change.kind {
      case .insert: counts[change.object.entity, default: 0] += 1
      case .delete: counts[change.object.entity, default: 0] -= 1
      case .update: break
      }
    }
    return counts.filter { $0.value != 0 }
  }
}

/// A suite of which each test has the demo store.
class DemoSuite {
  let demo: Demo

  init() throws { demo = try Demo() }
}

extension TemporaryFolder {
  /// Runs the program there.
  func run(_ words: [String], environment: [String: String] = [:]) throws -> Tool.Result {
    try Tool.run(words, environment: environment, in: path)
  }

  func run(_ words: String..., environment: [String: String] = [:]) throws -> Tool.Result {
    try run(words, environment: environment)
  }

  /// Files in a zip or tar archive, as its name has it, in a `backup` of an app's, or as they are.
  func pack(_ files: [(String, [UInt8])], as container: String) throws {
    var (zip, tar, backup) = (ZipForge(), TarArchive(), BackupForge())
    if container.hasSuffix("zip") {
      for (path, bytes) in files { zip.add(path, bytes) }
      try write(zip.ended, to: container)
    } else if container.hasSuffix("tar") || container.hasSuffix("gz") {
      for (path, bytes) in files { tar.add(path, bytes) }
      let compression: TarArchive.Compression = container.hasSuffix("gz") ? .gzip : .none
      try write(compression.packed(tar.ended), to: container)
    } else if container == "backup" {
      for (path, bytes) in files { backup.files.append(("AppDomain-a.b", path, bytes)) }
      try backup.make(at: path(container))
    } else {
      try makeFolder(container)
      for (path, bytes) in files { try write(bytes, to: "\(container)/\(path)") }
    }
  }

  /// A store of this model, closed.
  func forge(
    _ model: ManagedObjectModel, named name: String = "App.store", author: String? = "app",
    leaving leftovers: StoreForge.Leftovers = .nothing, _ body: (Save) throws -> Void = { _ in }
  ) throws -> String {
    let forge = try StoreForge(path: path(name), model: model)
    try forge.save(author: author, body)
    try forge.close(leaving: leftovers)
    return forge.path
  }

  /// A model as Xcode writes it, as far as it is read.
  func writeModel(_ entities: String, named name: String = "New.xcdatamodel") throws -> String {
    try makeFolder(name)
    try write(Array("<model>\(entities)</model>".utf8), to: name + "/contents")
    return path(name)
  }
}

/// Stores of a test's own.
enum SmallStores {
  /// One in which the doctor finds nothing.
  static func healthy(in folder: TemporaryFolder, _ name: String) throws -> String {
    try folder.forge(FixtureModels.library, named: name, leaving: .emptyWAL) {
      _ = try $0.insert("Book", ["year": .integer(1)])
    }
  }
}

/// What may lie next to a store when nobody has it open.
enum JournalState: String, CaseIterable, CustomTestStringConvertible {
  case walAndIndex, walWithoutIndex, emptyWAL, noSideFiles, rollback, hotJournal, tornTail

  var testDescription: String { rawValue }

  /// The demo store in this state.
  func demo() throws -> Demo {
    switch self {
    case .walAndIndex: return try Demo()
    case .walWithoutIndex: return try Demo(leaving: .walWithoutIndex)
    case .emptyWAL: return try Demo(leaving: .emptyWAL)
    case .noSideFiles: return try Demo(leaving: .nothing)
    case .rollback:
      let demo = try Demo(leaving: .nothing)
      try Connection(path: demo.path, options: .readWrite()).execute("PRAGMA journal_mode = DELETE")
      return demo
    case .hotJournal:
      let demo = try JournalState.rollback.demo()
      try interruptTransaction(demo)
      return demo
    case .tornTail:
      let demo = try Demo()
      let wal = DemoStore.fileName + "-wal"
      try demo.folder.write(try demo.folder.read(wal).dropLast(1000), to: wal)
      return demo
    }
  }

  /// Commits at the WAL's end that can't be seen any more.
  var lostCommits: Int64 { self == .tornTail ? 1 : 0 }

  /// Leaves the files of a large transaction as they are in its middle: a cache of few pages writes early.
  private func interruptTransaction(_ demo: Demo) throws {
    let names = [DemoStore.fileName, DemoStore.fileName + "-journal"]
    let writer = try Connection(path: demo.path, options: .readWrite())
    try writer.execute(
      "PRAGMA cache_size = 5; BEGIN; UPDATE ZENTRY SET ZTITLE = hex(zeroblob(9000)); DELETE FROM ZTRIP; DELETE FROM ACHANGE"
    )
    let files = try names.map { try demo.folder.read($0) }
    try writer.execute("ROLLBACK")
    writer.close()
    for (name, bytes) in zip(names, files) { try demo.folder.write(bytes, to: name) }
  }
}
