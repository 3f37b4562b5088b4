import Evidence
import SQLite
import StoreModel
package import Values

/// Puts a backup back.
package struct Restore {
  package var backup: Backup
  /// Where the store goes: absolute and without links.
  package let target: String
  /// Whether a store that is in the place may be replaced.
  package var mayReplace = true
  package var progress: (String) -> Void
  private let parts: StoreParts
  /// The backup's files: each one's path in it, and the one that it gets in the place.
  private let files: [(from: String, to: String)]
  private let isOwnPlace: Bool

  /// - Parameter target: another place than the manifest's; nil for that.
  /// - Throws: `StoreScopeError` where the folder is no backup, or the place none for a store.
  package init(folder: String, to target: String? = nil, progress: @escaping (String) -> Void = { _ in })
    throws
  {
    backup = try Backup(folder: folder)
    let own = backup.manifest.storePath
    self.target = try RestoreTarget.resolve(target ?? own)
    self.progress = progress
    parts = StoreParts(path: self.target)
    try BackupManifest.refuseWriting(besideOne: self.parts)
    let (original, parts) = (StoreParts(path: own), parts)
    files = backup.manifest.files.map { ($0.path, original.renamed($0.path, as: parts)) }
    isOwnPlace = self.target == (try? RestoreTarget.resolve(own))
  }

  /// Whether the store would go beside its backup, where backups are made. A manifest may come from anywhere: any other
  /// place that it names is its writer's choice.
  package var goesBesideBackup: Bool {
    let backup = (try? RestoreTarget.resolve("\(backup.folder)/\(BackupManifest.name)")) ?? ""
    return StoreParts(path: StoreParts(path: backup).folder).folder == parts.folder
  }

  /// Checks the backup, copies it beside the store, checks the copy, and puts it in the place of what is there, which
  /// is kept in a folder of its own. See `Replacement` for the order in which that goes: whenever the process is
  /// killed, the old store or the new one is there, whole.
  /// - Returns: the folder in which the files that were there now lie; nil where there were none.
  /// - Throws: `StoreScopeError`; the sentence says so where anything was changed.
  package func run(at time: CoreDataDate) throws -> String? {
    try backup.verify(progress: progress)
    let isThere = Files.exists(target)
    let wasInterrupted = Files.exists(RestoreFolder.path(parts))
    let present = Set(parts.present)
    try refuseForeignFolders()
    try refuseLinkedFolders()
    guard mayReplace || !isThere else { throw Files.madeMeanwhile(target) }
    var isStore = false
    if isThere {
      isStore = try refuseForeign()
    } else if !isOwnPlace, !wasInterrupted, let part = parts.present.first {
      throw StoreScopeError(
        "There is a '\(parts.path(of: part))' without '\(target)', which may belong to another store; give --to another place. Nothing was changed."
      )
    }
    let folder = try RestoreFolder(parts, at: time)
    defer { folder.remove() }
    try stage(in: folder.new)
    let new = try MergedStore.make(of: "\(folder.new)/\(parts.name)", in: "\(folder.path)/merged") {
      _ = try FileCopy.copy("\(folder.new)/\(parts.name)", to: $0)
    }
    try refuseMisnamedBackup()
    if isThere { isStore = try refuseForeign() }
    // Nobody may come between the check and the moving. Not earlier: who waits for the lock must be sent away.
    let lock = isThere ? try StoreLock(path: target) : nil
    let old = try lock.flatMap { lock in
      do {
        return try MergedStore.make(of: target, in: "\(folder.path)/merged-old", copyMain: lock.copy)
      } catch let error as SQLiteError where !isStore || error.isDamage {
        // A ruin: no order of steps keeps it whole.
        return nil
      }
    }
    guard Set(parts.present) == present, lock?.identity == FileIdentity(target) else {
      throw StoreScopeError(
        "Somebody else made, or took away, files of '\(target)' meanwhile; they stay as they are, and nothing was changed."
      )
    }
    try lock?.refuseUsers()
    let kept: [String: FileIdentity]
    do { kept = try folder.keepOld(parts.present, at: time) { try lock?.copy(to: $0) } } catch {
      throw StoreScopeError("What is there could not be kept, so nothing was changed: \(error)")
    }
    let replacement = Replacement(
      parts, folder, names: files.map(\.to), kept: kept, lock: lock, progress: progress)
    defer { replacement.waitForLatecomers() }
    do { try replacement.run(old: old, new: new) } catch {
      throw Self.failure(error, replacement, folder, at: time)
    }
    FileAttributes.takeOverFolders(of: files, in: backup.folder, to: parts.folder)
    do { return try folder.conclude(at: time) } catch {
      throw StoreScopeError("The backup was put back. \(error)")
    }
  }

  /// Puts back what was there, where the new store isn't yet, and says all that came of it.
  private static func failure(
    _ error: any Error, _ replacement: Replacement, _ folder: RestoreFolder, at time: CoreDataDate
  ) -> StoreScopeError {
    var sentences = ["\(error)"]
    if replacement.isDone {
      sentences.append("The backup's store is in the place, but not all of its files; run 'restore' again.")
    } else {
      do {
        try replacement.undo()
        sentences.append("Nothing of the backup was put there.")
      } catch { sentences.append("Not all that was there could be put back: \(error)") }
    }
    do {
      if let kept = try folder.conclude(at: time) { sentences.append("What was there is in '\(kept)'.") }
    } catch { sentences.append("\(error)") }
    return StoreScopeError(sentences.joined(separator: " "))
  }

  /// Copies the backup's files into the folder, under the names that they will have, and reads the copies back.
  private func stage(in folder: String) throws {
    try Files.makeFolder(folder)
    for (file, name) in zip(backup.manifest.files, files.map(\.to)) {
      progress("copying \(file.path)")
      let staged = "\(folder)/\(name)"
      if let slash = staged.lastIndex(of: "/") { try Files.makeFolder(String(staged[..<slash])) }
      _ = try FileCopy.copy("\(backup.folder)/\(file.path)", to: staged)
      guard try FileCopy.measure(staged).sha256 == file.sha256 else {
        throw StoreScopeError(
          "'\(file.path)' came out of '\(backup.folder)' as something else; nothing was changed, try again.")
      }
    }
  }

  /// Sees to it that no folder is filled that another store has its values in.
  private func refuseForeignFolders() throws {
    let folders = parts.folders.filter { folder in
      Files.exists(parts.path(of: folder)) || files.contains { $0.to.hasPrefix(folder + "/") }
    }
    guard let other = parts.otherOwner(of: folders) else { return }
    throw StoreScopeError(
      "'\(parts.path(of: other))' keeps its values in the same folder as '\(target)' would; give --to another place, or move that store away with its folder. Nothing was changed."
    )
  }

  /// A link's own folder may be another store's, and would have to be put back as a link.
  private func refuseLinkedFolders() throws {
    let link = parts.folders.first { folder in
      let path = parts.path(of: folder)
      return Platform.isFolder(path) == true && !Files.isFolder(path)
    }
    guard let link else { return }
    throw StoreScopeError(
      "'\(parts.path(of: link))' is a link, which would be replaced by a folder; put the folder itself there. Nothing was changed."
    )
  }

  /// Sees to it that what is in the backup is a store, and the one that its manifest names.
  private func refuseMisnamedBackup() throws {
    let files = try? StoreFiles(path: "\(backup.folder)/\(backup.manifest.storeName)")
    guard let files, (Self.identifier(of: files) ?? "") == backup.manifest.storeUUID else {
      throw StoreScopeError(
        "What lies in '\(backup.folder)' is not the store that its manifest names, so nothing was changed; take another backup."
      )
    }
  }

  /// Sees to it that nobody has the store open, and that it is the one that the backup is of. One that can't be read
  /// any more is taken for that where it lies in the backup's own place.
  /// - Returns: whether it can be read.
  private func refuseForeign() throws -> Bool {
    let files = try? StoreFiles(path: target)
    if let files, let holder = try LockProbe(files).holder() { throw holder.refusal(of: target) }
    guard let files, let uuid = Self.identifier(of: files) else {
      if isOwnPlace { return false }
      throw StoreScopeError(
        "There is a '\(target)' already, which can't be read as a store; give --to another place. Nothing was changed."
      )
    }
    guard uuid == backup.manifest.storeUUID else {
      throw StoreScopeError(
        "'\(target)' is another store than the one in '\(backup.folder)' (its identifier is \(uuid)); give --to another place. Nothing was changed."
      )
    }
    return true
  }

  /// Read through memory: a hot journal stays as it is.
  private static func identifier(of files: StoreFiles) -> String? {
    guard let connection = try? Connection(path: files.resolvedPath, options: .overlay()) else { return nil }
    defer { connection.close() }
    return (try? StoreMetadata.read(from: connection)?.uuid).flatMap { $0 }
  }
}
