import Base
import Evidence

/// The hidden folder next to a store in which a restore makes everything ready. Only one process has it at a time; what
/// a killed one left in it is finished by the next.
///
/// A bundle of a store and its backup may come from anywhere, and with it anything of this name: nothing is touched in
/// what a restore can't have made.
final class RestoreFolder {
  /// What lies in it, by the names below.
  let files: OpenFolder
  /// The folder that the store goes to.
  let place: OpenFolder
  private let parts: StoreParts
  private let lock: OpenFile

  /// The backup's files, under the names that they will have.
  static let new = "new"
  /// All that was in the place, under the names that it had: for each file a second name.
  static let old = "old"
  /// Main files as `Replacement` places them one after the other.
  static let (merged, mergedOld, renamed) = ("merged", "merged-old", "renamed")
  private static let keeping = "keeping"
  private static let lockName = "lock"
  private static let folders = [new, old, merged, mergedOld, renamed, keeping]

  static func name(_ parts: StoreParts) -> String { ".\(parts.name).restoring" }

  /// - Throws: `StoreScopeError` if another process is restoring to that place, or something else has the folder's name.
  init(_ parts: StoreParts, in place: OpenFolder, at time: CoreDataDate) throws {
    self.parts = parts
    self.place = place
    (files, lock) = try Self.take(parts, in: place)
    do { _ = try conclude(at: time) } catch {
      remove()
      throw StoreScopeError(error, outcome: .unchanged)
    }
    clear()
  }

  private static func take(_ parts: StoreParts, in place: OpenFolder) throws -> (OpenFolder, lock: OpenFile) {
    let name = name(parts)
    // Its last owner may take it away between our opening and our locking it.
    for _ in 0..<10 {
      let isNew = try place.makeNewFolder(name)
      guard try isNew || place.kind(of: name) != nil else { continue }
      let files = try open(name, in: place)
      // Whatever the umask is.
      if isNew { files.makePrivate() }
      try refuseForeign(files, isNew: isNew)
      guard let lock = try openLock(in: files) else { continue }
      let isTaken: Bool
      let isInPlace: Bool
      do {
        isTaken = try take(lock, files.path(of: lockName))
        isInPlace = try lock.status?.identity == files.identity(of: lockName)
      } catch {
        throw StoreScopeError(error, outcome: .unchanged)
      }
      if isTaken, isInPlace { return (files, lock) }
      lock.close()
      if isInPlace { break }
    }
    throw StoreScopeError(
      .busy, "Another 'restore' to '\(parts.path(of: parts.name))' is running",
      advice: "wait until it ends", outcome: .unchanged)
  }

  private static func open(_ name: String, in place: OpenFolder) throws -> OpenFolder {
    let kind = try place.kind(of: name)
    guard kind == nil || kind == .folder else {
      throw refusal(place.path(of: name), "it is \(OpenFolder.description(of: kind))")
    }
    return try place.folder(name)
  }

  /// Sees to it that a restore of this user's made all of it. In one that we just made, another restore may have begun
  /// its work; but file systems without Unix rights give it an owner and a mode of their own,
  /// https://man7.org/linux/man-pages/man8/mount.8.html (umask, uid).
  private static func refuseForeign(_ files: OpenFolder, isNew: Bool) throws {
    guard let status = try files.status(of: "") else { throw StoreScopeError.couldNotBe("read", files.path) }
    guard isNew || status.owner == Platform.effectiveUserID else {
      throw refusal(files.path, "it belongs to another user")
    }
    guard isNew || status.rights & 0o777 == 0o700 else {
      throw refusal(files.path, "it is open to other users, which a 'restore' folder never is")
    }
    for name in try files.names() {
      let kind = try files.kind(of: name)
      // Nil if a restore that is running has just taken it away.
      guard kind == nil || kind == .folder && folders.contains(name) || kind == .file && name == lockName
      else { throw refusal(files.path, "'\(name)' in it isn't from 'restore'") }
    }
  }

  private static func refusal(_ path: String, _ why: String) -> StoreScopeError {
    StoreScopeError(
      .occupied, path, "has the name of a 'restore' folder, but \(why)",
      advice: "check it and move it away", outcome: .unchanged)
  }

  /// Nil if the folder has gone meanwhile.
  private static func openLock(in files: OpenFolder) throws -> OpenFile? {
    guard let lock = files.openLock(lockName) else {
      if Platform.lastFailure == .missing { return nil }
      throw StoreScopeError.unwritable(files.path(of: lockName), Platform.lastError(), outcome: .unchanged)
    }
    // A second name may be the store's own: closing it would drop the locks that we take there.
    guard let status = lock.status, status.kind == .file, status.names <= 1 else {
      throw refusal(files.path, "'\(lockName)' in it isn't from 'restore'")
    }
    return lock
  }

  /// - Returns: false if another process has it.
  private static func take(_ lock: OpenFile, _ path: String) throws -> Bool {
    switch lock.lock() {
    case .taken: true
    case .held: false
    case .failed(let problem): throw StoreScopeError.couldNotBe("locked", path, problem)
    }
  }

  /// Takes away what is left in it, and then itself, unless something is kept in it.
  func remove() {
    clear()
    try? files.removeFile(Self.lockName)
    if let identity = try? files.identity(of: ""), identity == (try? place.identity(of: Self.name(parts))) {
      place.removeEmptyFolder(Self.name(parts))
    }
    lock.close()
  }

  /// What is kept has no other copy: it stays until `conclude` has seen to it.
  private func clear() {
    for name in Self.folders where name != Self.old { files.remove(name) }
  }

  // MARK: - What was there

  /// Gives all that is in the place a second name in `old`, or copies it if the file system knows no second names. The
  /// folder has that name only when all is in it.
  /// - Parameter copyMain: copies the store's file, which is locked and must not be opened.
  /// - Returns: what distinguishes the files from others that come to have their names, by their paths in the place.
  func keepOld(
    _ present: [String], at time: CoreDataDate, copyMain: (OpenFolder, String) throws -> Void
  ) throws -> [String: FileIdentity] {
    guard let first = present.first else { return [:] }
    // The lasting name must be one that can be given.
    let lasting = lastingName(at: time)
    _ = try place.makeNewFolder(lasting)
    place.removeEmptyFolder(lasting)
    try files.makeFolder(Self.keeping)
    var kept: [String: FileIdentity] = [:]
    for name in present { try keep(name, depth: 0, copyMain, &kept) }
    let copy = try files.folder(Self.keeping)
    FileAttributes.takeOverFolders(of: kept.keys.map { ($0, $0) }, in: place, to: copy)
    try copy.takeOwner(of: first, in: place)
    try files.move(Self.keeping, to: files, as: Self.old)
    files.sync()
    return kept
  }

  private static let depthLimit = 64

  private func keep(
    _ part: String, depth: Int, _ copyMain: (OpenFolder, String) throws -> Void,
    _ kept: inout [String: FileIdentity]
  ) throws {
    guard depth < Self.depthLimit else {
      throw StoreScopeError(
        .limit, place.path(of: part), "is nested too deeply to be kept", advice: "check what is in it")
    }
    let target = "\(Self.keeping)/\(part)"
    if try place.kind(of: part) == .folder {
      try files.makeFolder(target)
      for name in try place.names(in: part) { try keep("\(part)/\(name)", depth: depth + 1, copyMain, &kept) }
      return
    }
    guard let identity = try place.identity(of: part) else { return }
    if try !place.link(part, to: files, as: target) {
      if part == parts.name {
        try copyMain(files, target)
      } else {
        try FileCopy.copy(part, in: place, to: target, in: files)
      }
    }
    kept[part] = identity
  }

  /// Lets go of what is surely still in its place, and gives the rest a lasting name.
  /// - Returns: the folder; nil if everything is in its place, or nothing was kept.
  func conclude(at time: CoreDataDate) throws -> String? {
    do {
      guard try files.kind(of: Self.old) != nil else { return nil }
    } catch {
      throw StoreScopeError(
        .failed,
        "Any previous files are kept in '\(files.path(of: Self.old))': \(error) The next 'restore' to that path finishes this"
      )
    }
    forget(in: "")
    // The index of a -wal alone is worth nothing. A folder that can't be read stays, with all that is in it.
    let index = parts.name + "-shm"
    if let left = try? files.names(in: Self.old), left.allSatisfy({ $0 == index }) {
      try? files.removeFile("\(Self.old)/\(index)")
      files.removeEmptyFolder(Self.old)
      return nil
    }
    let lasting = lastingName(at: time)
    do { try files.move(Self.old, to: place, as: lasting) } catch {
      throw StoreScopeError(
        .failed,
        "The previous files are kept in '\(files.path(of: Self.old))', as they can't get a permanent name: \(error) The next 'restore' to that path finishes this"
      )
    }
    place.sync()
    return place.path(of: lasting)
  }

  private func lastingName(at time: CoreDataDate) -> String {
    Platform.fileName(
      StampedName.free(
        store: parts.name, time: time, ending: StampedName.replaced, in: parts.folder))
  }

  private func forget(in folder: String) {
    for name in (try? files.names(in: Self.old + folder)) ?? [] {
      let part = "\(folder)/\(name)"
      if (try? files.kind(of: Self.old + part)) == .folder {
        forget(in: part)
        files.removeEmptyFolder(Self.old + part)
      } else if let kept = try? files.identity(of: Self.old + part),
        kept == (try? place.identity(of: String(part.dropFirst())))
      {
        try? files.removeFile(Self.old + part)
      }
    }
  }
}
