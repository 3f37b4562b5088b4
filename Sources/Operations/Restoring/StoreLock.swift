import Base
import Evidence

/// Keeps every user of SQLite out of a store without SQLite: for a file in any state, damaged or with a hot journal,
/// that is only going to be moved. https://www.sqlite.org/lockingv3.html
///
/// While it lives, this process must not open the file in any other way: closing that descriptor would drop the lock.
final class StoreLock {
  /// What distinguishes the locked file from others that come to have its name.
  let identity: FileIdentity
  private let file: OpenFile
  private let path: String

  // From the pending byte over the reserved one to the last shared one: SQLite's exclusive lock.
  private static let bytes: Range<Int64> = 0x4000_0000..<0x4000_0200

  /// - Throws: `StoreScopeError` if somebody has the store open, it can't be written, or it is no regular file. What was
  ///   changed until then only the caller knows.
  init(_ part: String, in folder: OpenFolder) throws {
    path = folder.path(of: part)
    file = try folder.openFile(part, writing: true)
    guard let identity = file.status?.identity else { throw StoreScopeError.couldNotBe("examined", path) }
    self.identity = identity
    switch file.lock(Self.bytes) {
    case .taken: break
    case .failed(let problem): throw StoreScopeError(.unwritable, path, "can't be locked: \(problem)")
    case .held(let holder):
      throw StoreScopeError(.busy, path, "is \(LockHolder(processID: holder, isExclusive: true).inUse())")
    }
  }

  /// Sees to it that nobody has the file open: whoever waits for this lock, or is idle, would go on with a file that has
  /// lost its name, and with the -wal of the one that has it now.
  func refuseUsers() throws {
    guard let user = FileUsers.lastingProcess(of: [identity]) else { return }
    throw LockHolder(processID: user, isExclusive: false).refusal(of: path)
  }

  /// Copies the file through the descriptor that holds the lock.
  func copy(to folder: OpenFolder, as part: String) throws {
    var offset: Int64 = 0
    _ = try FileCopy.write(part, in: folder) { buffer in
      let (count, hasFailed) = file.read(into: buffer, at: offset)
      guard !hasFailed else {
        throw StoreScopeError.couldNotBe("read", path)
      }
      offset += Int64(count)
      return count
    } finish: {
      FileAttributes.takeOver(file, to: $0)
    }
  }
}
