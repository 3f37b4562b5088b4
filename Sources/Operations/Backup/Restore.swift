import Evidence
import SQLite
import StoreModel
package import Values

/// Puts a backup back.
package struct Restore {
  package var backup: Backup
  /// Where the store goes: an absolute path.
  package var target: String
  package var progress: (String) -> Void

  /// - Parameter target: another place than the manifest's; nil for that.
  /// - Throws: `StoreScopeError` where the folder is no backup.
  package init(folder: String, to target: String? = nil, progress: @escaping (String) -> Void = { _ in })
    throws
  {
    backup = try Backup(folder: folder)
    self.target = target ?? backup.manifest.storePath
    self.progress = progress
  }

  /// Checks the backup, copies it beside the store, checks the copy, and puts it in the place of what is there, which is
  /// moved into a folder of its own.
  ///
  /// Where the system dies in between there is either the old store, or none, or the new one; the files that are missing
  /// lie beside it in folders of its name, and the next run goes on from there.
  /// - Returns: the folder in which the files that were there now lie; nil where there were none.
  /// - Throws: `StoreScopeError`; the store is then as it was.
  package func run(at time: CoreDataDate) throws -> String? {
    try backup.verify(progress: progress)
    let parts = StoreParts(path: target)
    let isThere = FileCopy.exists(target)
    if isThere { try refuseForeign() }
    // Nobody may come between the check and the moving.
    let lock = isThere ? try StoreLock(path: target) : nil
    let staging = "\(parts.folder)/.\(parts.name).restoring"
    FileCopy.remove(staging)
    do {
      try stage(in: staging, as: parts)
      let replaced = try withExtendedLifetime(lock) { try setAside(parts, hasStore: isThere, at: time) }
      do { try place(staging, as: parts) } catch {
        for name in parts.own { FileCopy.remove(parts.path(of: name)) }
        try putBack(parts, from: replaced)
        throw error
      }
      FileCopy.remove(staging)
      FileCopy.settle(folder: parts.folder)
      return replaced
    } catch {
      FileCopy.remove(staging)
      throw error
    }
  }

  /// Copies the backup's files into the folder, under the names that they will have, and reads the copies back.
  private func stage(in staging: String, as parts: StoreParts) throws {
    let original = StoreParts(path: backup.manifest.storePath)
    try FileCopy.makeFolder(staging)
    for file in backup.manifest.files {
      progress("copying \(file.path)")
      let staged = "\(staging)/\(original.renamed(file.path, as: parts))"
      if let slash = staged.lastIndex(of: "/") { try FileCopy.makeFolder(String(staged[..<slash])) }
      _ = try FileCopy.copy("\(backup.folder)/\(file.path)", to: staged)
      guard try FileCopy.measure(staged).sha256 == file.sha256 else {
        throw StoreScopeError(
          "'\(file.path)' came out of '\(backup.folder)' as something else; nothing was changed, try again.")
      }
    }
    FileCopy.settle(folder: staging)
  }

  /// Sees to it that nobody has the store open, and that it is the one that the backup is of. One that can't be read
  /// any more is taken for that where it lies in the backup's own place.
  private func refuseForeign() throws {
    let files = try? StoreFiles(path: target)
    if let files, let holder = try LockProbe(files).holder() {
      throw StoreScopeError(
        "'\(target)' is in use by \(holder.description): quit the app and its extensions first; nothing was changed."
      )
    }
    let isOwnPlace = target == backup.manifest.storePath
    guard let files, let uuid = Self.identifier(of: files) else {
      if isOwnPlace { return }
      throw StoreScopeError(
        "There is a '\(target)' already, which can't be read as a store; give --to another place. Nothing was changed."
      )
    }
    guard uuid == backup.manifest.storeUUID else {
      throw StoreScopeError(
        "'\(target)' is another store than the one in '\(backup.folder)' (its identifier is \(uuid)); give --to another place. Nothing was changed."
      )
    }
  }

  /// Read through memory: a hot journal stays as it is.
  private static func identifier(of files: StoreFiles) -> String? {
    guard let connection = try? Connection(path: files.resolvedPath, options: .overlay()) else { return nil }
    defer { connection.close() }
    return (try? StoreMetadata.read(from: connection)?.uuid).flatMap { $0 }
  }

  /// Moves what is there into a folder beside it, the store's file first: until the new one is there, there is no store
  /// that could be opened half. The folder gets its lasting name only when all is in it, so that an interrupted run can
  /// be gone on with.
  /// - Returns: the folder; nil where there was nothing.
  private func setAside(_ parts: StoreParts, hasStore: Bool, at time: CoreDataDate) throws -> String? {
    let folder = "\(parts.folder)/.\(parts.name).replacing"
    // What an interrupted run moved belongs to the same store, unless there is a new one.
    if hasStore, FileCopy.exists("\(folder)/\(parts.name)") { _ = try keep(folder, of: parts, at: time) }
    let present = parts.own.filter { FileCopy.exists(parts.path(of: $0)) }
    if present.isEmpty, !FileCopy.exists(folder) { return nil }
    try FileCopy.makeFolder(folder)
    do {
      for name in present { try FileCopy.move(parts.path(of: name), to: "\(folder)/\(name)") }
    } catch {
      try putBack(parts, from: folder)
      throw error
    }
    FileCopy.settle(folder: folder)
    return try keep(folder, of: parts, at: time)
  }

  /// The store's file last, for the same reason.
  private func place(_ staging: String, as parts: StoreParts) throws {
    for name in parts.own.reversed() where FileCopy.exists("\(staging)/\(name)") {
      try FileCopy.move("\(staging)/\(name)", to: parts.path(of: name))
    }
  }

  private func putBack(_ parts: StoreParts, from folder: String?) throws {
    guard let folder else { return }
    for name in parts.own.reversed() where FileCopy.exists("\(folder)/\(name)") {
      do { try FileCopy.move("\(folder)/\(name)", to: parts.path(of: name)) } catch {
        throw StoreScopeError("'\(target)' could not be put back: \(error) Its files are in '\(folder)'.")
      }
    }
    FileCopy.remove(folder)
  }

  /// Gives the folder with the old files a name that says what it is.
  private func keep(_ folder: String, of parts: StoreParts, at time: CoreDataDate) throws -> String {
    let stamp = (time.iso8601 ?? "").split(separator: ".")[0].filter { $0.isNumber || $0 == "T" }
    let name = "\(parts.folder)/\(parts.name).\(stamp)Z"
    var final = "\(name).replaced"
    var number = 2
    while FileCopy.exists(final) {
      final = "\(name).\(number).replaced"
      number += 1
    }
    try FileCopy.move(folder, to: final)
    return final
  }
}
