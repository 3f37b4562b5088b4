import Forge
import Foundation
import SQLite
import Synchronization
import SystemCalls
import TestSupport
import Values

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
      folder = try TemporaryFolder("demo-original")
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
    let folder = try TemporaryFolder("demo")
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
    if let edit { try withConnection { try edit(Edited(path: path, connection: $0)) } }
    if leftovers == .nothing || leftovers == .emptyWAL {
      try withConnection { try $0.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    }
    // As `StoreForge.close` leaves them.
    if leftovers == .nothing { Files.remove(path + "-wal") }
    if leftovers == .nothing || leftovers == .walWithoutIndex { Files.remove(path + "-shm") }
  }

  private func withConnection(_ body: (Connection) throws -> Void) throws {
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
