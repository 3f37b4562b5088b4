import Base

/// A process that has the store open.
package struct LockHolder: Sendable, Equatable {
  /// nil where the system does not tell, as for a process of another container.
  package var processID: Int32?
  /// Nobody else may read.
  package var isExclusive: Bool

  package init(processID: Int32?, isExclusive: Bool) {
    self.processID = processID
    self.isExclusive = isExclusive
  }

  /// `Journeys, process 412`
  package var description: String { processID.map(Platform.described) ?? "another process" }

  /// Whether it is a storescope, so that no app has to be quit.
  package var isOurs: Bool { processID.map(Platform.isOurProgram) ?? false }
}

/// Asks who holds SQLite's locks on a store, and takes none. Locks of this process are not seen.
///
/// A store in WAL mode shows a lock as long as a connection is open; one with a rollback journal only while it is
/// being read or written. The descriptors stay open until the probe goes, which must be after SQLite closed the
/// store: see `OpenFile`.
package final class LockProbe {
  private let main: OpenFile
  private let shm: OpenFile?

  // The lock bytes, https://www.sqlite.org/src/file/src/os.h and https://www.sqlite.org/walformat.html
  private static let pendingByte: Int64 = 0x4000_0000
  private static let reservedByte = pendingByte + 1
  private static let sharedBytes = pendingByte + 2..<pendingByte + 512
  private static let shmBytes: Range<Int64> = 120..<129

  package init(_ files: StoreFiles) throws {
    main = try OpenFile.ofStore(files.resolvedPath)
    // One that can't be read shows nothing; the main file's locks still do.
    shm = files.shm == nil ? nil : try? OpenFile.ofStore(files.shmPath)
  }

  /// Somebody who keeps everybody else out, else anybody who has the store open, else nil.
  package func holder() -> LockHolder? {
    if let writer = main.lockHolder(of: Self.sharedBytes, against: .reading) {
      return LockHolder(processID: writer, isExclusive: true)
    }
    let all = Self.pendingByte..<Self.sharedBytes.upperBound
    let found =
      main.lockHolder(of: all, against: .writing)
      ?? shm.flatMap { $0.lockHolder(of: Self.shmBytes, against: .writing) }
    return found.map { LockHolder(processID: $0, isExclusive: false) }
  }

  /// Whether the main file has these bytes there. Another descriptor of it couldn't be closed while SQLite has locks.
  func mainHas(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Bool {
    main.bytes(bytes.count, at: offset).elementsEqual(bytes)
  }

  /// Whether a process is in the middle of a transaction with a rollback journal.
  func isWriting() -> Bool {
    main.lockHolder(of: Self.reservedByte..<Self.reservedByte + 1, against: .reading) != nil
  }
}
