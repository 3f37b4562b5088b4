import Values

#if canImport(Darwin)
  internal import Darwin
#else
  @preconcurrency internal import Glibc
#endif

/// The hidden folder beside a store in which a restore makes everything ready. Only one process has it at a time; what
/// a killed one left in it is put right by the next.
final class RestoreFolder {
  let path: String
  private let parts: StoreParts
  private var lock: Int32 = -1

  /// Where the files that are put back wait, under the names that they will have.
  var new: String { "\(path)/new" }
  /// Where all that was in the place lies, under the names that it had: for each file a second name.
  var old: String { "\(path)/old" }

  private static let lockName = "lock"

  static func path(_ parts: StoreParts) -> String { parts.path(of: ".\(parts.name).restoring") }

  /// - Throws: `StoreScopeError` where another process puts something back there just now.
  init(_ parts: StoreParts, at time: CoreDataDate) throws {
    self.parts = parts
    path = Self.path(parts)
    try takeLock()
    _ = try conclude(at: time)
    clear()
  }

  private func takeLock() throws {
    let file = "\(path)/\(Self.lockName)"
    // Its last owner may take it away between our opening and our locking it.
    for _ in 0..<10 {
      try Files.makeFolder(path)
      lock = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      if lock < 0, errno == ENOENT { continue }
      guard lock >= 0 else {
        throw StoreScopeError("'\(file)' can't be written: \(Platform.lastError()); nothing was changed.")
      }
      var wanted = flock()
      wanted.l_type = Int16(F_WRLCK)
      wanted.l_whence = Int16(SEEK_SET)
      if fcntl(lock, F_SETLK, &wanted) == 0 {
        if FileIdentity(ofOpenFile: lock) == FileIdentity(file) { return }
      } else if errno != EAGAIN, errno != EACCES {
        let problem = Platform.lastError()
        close(lock)
        throw StoreScopeError("'\(file)' can't be locked: \(problem); nothing was changed.")
      } else if FileIdentity(ofOpenFile: lock) == FileIdentity(file) {
        break
      }
      close(lock)
      lock = -1
    }
    if lock >= 0 { close(lock) }
    throw StoreScopeError(
      "Another 'restore' to '\(parts.path(of: parts.name))' is running; wait for its end. Nothing was changed."
    )
  }

  /// Takes away what is left in it, and then itself, unless something is kept in it.
  func remove() {
    clear()
    unlink("\(path)/\(Self.lockName)")
    rmdir(path)
    close(lock)
  }

  /// What is kept has no other copy: it stays until `conclude` has seen to it.
  private func clear() {
    for name in (try? FileReader.names(in: path, limit: .max)) ?? [] {
      if name != Self.lockName, "\(path)/\(name)" != old { Files.remove("\(path)/\(name)") }
    }
  }

  /// Gives all that is in the place a second name in `old`, or copies it where the file system knows no second names.
  /// The folder has that name only when all is in it.
  /// - Parameter copyMain: copies the store's file, which is locked and must not be opened.
  /// - Returns: what tells the files apart from others that come to have their names, by their paths in the place.
  func keepOld(_ present: [String], at time: CoreDataDate, copyMain: (String) throws -> Void) throws
    -> [String: FileIdentity]
  {
    if present.isEmpty { return [:] }
    // The lasting name must be one that can be given.
    let lasting = lastingName(at: time)
    _ = try Files.makeNewFolder(lasting)
    Files.removeEmptyFolder(lasting)
    let unfinished = "\(path)/keeping"
    try Files.makeFolder(unfinished)
    var kept: [String: FileIdentity] = [:]
    for name in present { try keep(name, in: unfinished, depth: 0, copyMain, &kept) }
    FileAttributes.takeOverFolders(of: kept.keys.map { ($0, $0) }, in: parts.folder, to: unfinished)
    FileAttributes.takeOwner(of: parts.path(of: present[0]), to: unfinished)
    try Files.move(unfinished, to: old)
    Files.sync(folder: path)
    return kept
  }

  private static let depthLimit = 64

  private func keep(
    _ part: String, in folder: String, depth: Int, _ copyMain: (String) throws -> Void,
    _ kept: inout [String: FileIdentity]
  ) throws {
    let source = parts.path(of: part)
    let target = "\(folder)/\(part)"
    guard depth < Self.depthLimit else {
      throw StoreScopeError("'\(source)' nests too deep to be kept; look what is in it. Nothing was changed.")
    }
    if Files.isFolder(source) {
      try Files.makeFolder(target)
      for name in try FileReader.names(in: source, limit: .max) {
        try keep("\(part)/\(name)", in: folder, depth: depth + 1, copyMain, &kept)
      }
      return
    }
    guard let identity = FileIdentity(source) else { return }
    if try !Files.link(source, to: target) {
      if part == parts.name { try copyMain(target) } else { _ = try FileCopy.copy(source, to: target) }
    }
    kept[part] = identity
  }

  /// Lets go of what is still in its place, and gives the rest a lasting name.
  /// - Returns: the folder; nil where everything is in its place, or nothing was kept.
  func conclude(at time: CoreDataDate) throws -> String? {
    guard Files.exists(old) else { return nil }
    forget(in: "")
    // The index of a -wal alone is worth nothing.
    let left = try FileReader.names(in: old, limit: .max).filter { $0 != parts.name + "-shm" }
    if left.isEmpty {
      Files.remove(old)
      return nil
    }
    let lasting = lastingName(at: time)
    do { try Files.move(old, to: lasting) } catch {
      throw StoreScopeError(
        "What was there before is kept in '\(old)', as it can't get a lasting name: \(error) The next 'restore' to that place sees to it."
      )
    }
    Files.sync(folder: parts.folder)
    return lasting
  }

  private func lastingName(at time: CoreDataDate) -> String {
    StampedName(store: parts.name, time: time, ending: "replaced").free(in: parts.folder)
  }

  private func forget(in folder: String) {
    for name in (try? FileReader.names(in: old + folder, limit: .max)) ?? [] {
      let path = "\(old)\(folder)/\(name)"
      if Files.isFolder(path) {
        forget(in: "\(folder)/\(name)")
        Files.removeEmptyFolder(path)
      } else if FileIdentity(path)
        == FileIdentity(parts.path(of: "\(folder)/\(name)".dropFirst().description))
      {
        Files.remove(path)
      }
    }
  }
}
