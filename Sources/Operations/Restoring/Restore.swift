package import Base
import Evidence
import SQLite
import StoreModel

/// Restores a backup.
package struct Restore {
  package let backup: Backup
  /// Where the store goes: absolute and without links.
  package let target: String
  /// What lies there, for which consent is asked: nothing else is replaced.
  package let occupant: Occupant
  let found: FileIdentity?
  let progress: (String) -> Void
  let parts: StoreParts
  /// The backup's files: each one's path in it, and the one that it gets in the place.
  let files: [(from: String, to: String)]
  let isOwnPlace: Bool
  /// How much disk space a folder has; nil if that isn't known.
  package var freeBytes: (_ folder: String) -> Int64? = Files.freeBytes
  /// Of the program, for the manifest of what was replaced.
  package var version = ""

  /// - Parameter target: another place than the manifest's; nil for that.
  /// - Throws: `StoreScopeError` if the folder is no backup, or the place none for a store.
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
    found = FileIdentity(self.target)
    occupant = Occupant(parts)
    isOwnPlace = self.target == (try? RestoreTarget.resolve(own))
  }

  /// Whether the store would go next to its backup, where backups are made. A manifest may come from anywhere: any other
  /// place that it names is its writer's choice.
  package var goesBesideBackup: Bool {
    let backup = (try? RestoreTarget.resolve("\(backup.folder)/\(BackupFolder.manifest)")) ?? ""
    return StoreParts(path: StoreParts(path: backup).folder).folder == parts.folder
  }

  /// Checks the backup, copies it next to the store, checks the copy, and puts it in the place of what is there, which
  /// is kept in a folder of its own. See `Replacement` for the order in which that goes: whenever the process is
  /// killed, the old store or the new one is there, whole.
  /// - Returns: the folder in which the files that were there now lie; nil if there were none. If they are the store, it
  ///   is a backup itself.
  /// - Throws: `StoreScopeError`; the sentence says so if anything was changed.
  package func run(at time: CoreDataDate) throws -> String? {
    let replaced = try replace(at: time)
    // Without a manifest they are kept all the same.
    if let replaced { try? makeBackup(of: replaced.store, in: replaced.folder, at: time) }
    return replaced?.folder
  }

  /// - Returns: the folder with the files that were there, and those that make up the store; none if it couldn't be read.
  private func replace(at time: CoreDataDate) throws -> (folder: String, store: [String])? {
    try backup.verify(progress: progress)
    let source = try OpenFolder(backup.folder, following: true)
    _ = try MergedStore.Sides(of: backup.manifest.storeName, in: source)
    try Files.makeFolder(parts.folder)
    let place = try OpenFolder(parts.folder)
    let present = try parts.present(in: place)
    let isStore = try refusePlace(place)
    try refuseWithoutRoom()
    let folder = try RestoreFolder(parts, in: place, at: time)
    defer { folder.remove() }
    var mains = try stage(from: source, in: folder)
    _ = try refuseForeign()
    // Nobody may come between the check and the moving. Not earlier: who waits for the lock must be sent away.
    let lock = try lock(in: place)
    mains.mergedOld = try mergedOld(lock, isStore, in: folder)
    guard try parts.present(in: place) == present, try lock?.identity == place.identity(of: parts.name) else {
      throw StoreScopeError(
        .changed,
        "Another process created or removed files of '\(target)' in the meantime; they were left alone, and nothing was changed",
        about: target)
    }
    try lock?.refuseUsers()
    let kept: [String: FileIdentity]
    do {
      kept = try folder.keepOld(present, at: time) { try lock?.copy(to: $0, as: $1) }
    } catch {
      throw StoreScopeError(.failed, "The existing files couldn't be kept, so nothing was changed: \(error)")
    }
    let spares: SpareNames
    do { spares = try spareNames(kept, in: folder, &mains) } catch {
      // All of it is in its place as well.
      _ = try? folder.conclude(at: time)
      throw error
    }
    let replacement = Replacement(
      parts, folder, names: files.map(\.to), spares: spares, kept: kept, lock: lock, progress: progress)
    Watchdog.hold()
    defer { replacement.waitForLatecomers() }
    do { try replacement.run(mains) } catch { throw failure(error, replacement, folder, at: time) }
    FileAttributes.takeOverFolders(of: files, in: source, to: place)
    do {
      return try folder.conclude(at: time).map { (folder: $0, store: isStore ? kept.keys.sorted() : []) }
    } catch {
      throw StoreScopeError(.failed, "The backup was restored. \(error)")
    }
  }

  /// Writes the manifest with which a mistaken restore can be undone.
  /// - Parameter files: all that were in the place; one that isn't in the folder makes it no backup.
  private func makeBackup(of files: [String], in folder: String, at time: CoreDataDate) throws {
    guard !files.isEmpty else { return }
    let kept = try OpenFolder(folder)
    let manifest = BackupManifest(
      version: version, operation: "restore", time: time, storePath: target,
      storeUUID: backup.manifest.storeUUID,
      files: try files.map { name in
        progress("checking \(name)")
        let measure = try FileCopy.measure(name, in: kept)
        return BackupManifest.File(path: name, bytes: measure.bytes, sha256: measure.sha256)
      })
    try manifest.write(to: folder)
    for name in [BackupFolder.manifest, BackupFolder.manifestHash] {
      FileAttributes.takeOwner(of: target, to: "\(folder)/\(name)")
    }
  }

  /// Restores what was there if the new store isn't in the place yet, and says all that came of it.
  private func failure(
    _ error: any Error, _ replacement: Replacement, _ folder: RestoreFolder, at time: CoreDataDate
  ) -> StoreScopeError {
    var sentences = ["\(error)"]
    if replacement.isDone {
      sentences.append(Self.unfinished(replacement.outdated))
    } else {
      do {
        try replacement.undo()
        sentences.append("Nothing was restored from the backup.")
      } catch { sentences.append("Not all previous files could be moved back: \(error)") }
    }
    do {
      if let kept = try folder.conclude(at: time) { sentences.append("The previous files are in '\(kept)'.") }
    } catch { sentences.append("\(error)") }
    return StoreScopeError(.failed, sentences.joined(separator: " "))
  }

  private static func unfinished(_ outdated: [String]) -> String {
    guard !outdated.isEmpty else {
      return
        "The backup's store is restored with all its values, but other files may be left next to it; run 'restore' again to remove them."
    }
    let names = outdated.prefix(3).map { "'\($0)'" } + (outdated.count > 3 ? ["…"] : [])
    let count = Sentence.count(outdated.count, "file")
    return
      "The backup's store is restored, except for \(count) (\(names.joined(separator: ", "))); run 'restore' again to finish."
  }

  /// The lock on the store that is there; nil if there was none.
  private func lock(in place: OpenFolder) throws -> StoreLock? {
    guard found != nil else { return nil }
    do { return try StoreLock(parts.name, in: place) } catch {
      throw StoreScopeError(error, outcome: .unchanged)
    }
  }

  // MARK: - Making ready

  /// Copies the backup's files into the work folder, under the names that they will have, reads the copies back, and
  /// sees to it that they are a store, and the one that the manifest names.
  private func stage(from source: OpenFolder, in folder: RestoreFolder) throws -> Replacement.Mains {
    for (file, name) in zip(backup.manifest.files, files.map(\.to)) {
      progress("copying \(file.path)")
      let staged = "\(RestoreFolder.new)/\(name)"
      try folder.files.makeParent(of: staged)
      try FileCopy.copy(file.path, in: source, to: staged, in: folder.files, limit: file.bytes)
      guard try FileCopy.measure(staged, in: folder.files).sha256 == file.sha256 else {
        throw StoreScopeError(
          .changed, file.path,
          "doesn't match '\(backup.folder)' after copying; nothing was changed, try again")
      }
    }
    var mains = Replacement.Mains(new: "\(RestoreFolder.new)/\(parts.name)")
    let uuid = try MergedStore.read(mains.new, in: folder.files) { connection in
      (try? StoreMetadata.read(from: connection)?.uuid).flatMap { $0 }
    }
    guard (uuid ?? "") == backup.manifest.storeUUID else {
      throw StoreScopeError(
        .foreign,
        "'\(backup.folder)' doesn't contain the store in its manifest, so nothing was changed",
        about: backup.folder, advice: "use another backup")
    }
    let merged = "\(RestoreFolder.merged)/\(parts.name)"
    let isMerged = try MergedStore.make(of: mains.new, in: folder.files, as: merged, in: folder.files) {
      try FileCopy.copy(mains.new, in: folder.files, to: $1, in: $0, isWritable: true)
    }
    if isMerged { mains.merged = merged }
    return mains
  }

  /// - Returns: the path in the work folder; nil if there is nothing to be merged, or no order of steps keeps whole what
  ///   is there, as it is no store any more.
  private func mergedOld(_ lock: StoreLock?, _ isStore: Bool, in folder: RestoreFolder) throws -> String? {
    guard let lock else { return nil }
    let path = "\(RestoreFolder.mergedOld)/\(parts.name)"
    do {
      let isMerged = try MergedStore.make(
        of: parts.name, in: folder.place, as: path, in: folder.files, copyMain: lock.copy)
      return isMerged ? path : nil
    } catch let error as SQLiteError where !isStore || error.isDamage {
      return nil
    }
  }

  /// Finds the values whose files would take the names of other values that the store in the place has, and makes a main
  /// file that names them otherwise.
  private func spareNames(
    _ kept: [String: FileIdentity], in folder: RestoreFolder, _ mains: inout Replacement.Mains
  ) throws -> SpareNames {
    var spares = SpareNames()
    for (file, name) in zip(backup.manifest.files, files.map(\.to)) {
      guard let identity = try kept[name] ?? folder.place.identity(of: name), name.contains("/") else {
        continue
      }
      // The store's own file must not be opened while it is locked.
      let isSame =
        try identity != kept[parts.name] && folder.place.size(of: name) == file.bytes
        && (try? FileCopy.measure(name, in: folder.place, limit: file.bytes))?.sha256 == file.sha256
      if !isSame { spares.add(name, of: parts) }
    }
    guard spares.areInRows else { return spares }
    let path = "\(RestoreFolder.renamed)/\(parts.name)"
    try folder.files.makeParent(of: path)
    try FileCopy.copy(
      mains.merged ?? mains.new, in: folder.files, to: path, in: folder.files, isWritable: true)
    do { try MergedStore.change(path, in: folder.files) { try spares.write(to: $0) } } catch {
      throw StoreScopeError(
        .failed, "The backup's store couldn't be prepared (\(error.clause)); nothing was changed",
        advice: "Move '\(parts.path(of: parts.folders[0]))' away, and try again")
    }
    mains.renamed = path
    return spares
  }
}
