import Evidence
import SQLite
import StoreModel
import SystemCalls
package import Values

/// Restores a backup.
package struct Restore {
  package let backup: Backup
  /// Where the store goes: absolute and without links.
  package let target: String
  /// What lies there, for which consent is asked: nothing else is replaced.
  package let occupant: Occupant
  private let found: FileIdentity?
  private let progress: (String) -> Void
  private let parts: StoreParts
  /// The backup's files: each one's path in it, and the one that it gets in the place.
  private let files: [(from: String, to: String)]
  private let isOwnPlace: Bool
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
    let backup = (try? RestoreTarget.resolve("\(backup.folder)/\(BackupManifest.name)")) ?? ""
    return StoreParts(path: StoreParts(path: backup).folder).folder == parts.folder
  }

  /// Whatever can be known to keep it from being done, so that nobody is asked for consent in vain.
  package func refuseKnownProblems() throws {
    try backup.verify(progress: progress)
    try refuseUnwritable()
    try refuseWithoutRoom()
    guard Files.exists(parts.folder) else { return }
    _ = try refusePlace(OpenFolder(parts.folder))
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
    for name in [BackupManifest.name, BackupManifest.hashName] {
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

  // MARK: - Refusals

  /// The folder in which something would be made: the store's own, or the one above that exists.
  private var existingFolder: String {
    var folder = parts.folder
    while !Files.exists(folder), folder != "/", let slash = folder.lastIndex(of: "/") {
      folder = slash == folder.startIndex ? "/" : String(folder[..<slash])
    }
    return folder
  }

  /// All files are copied next to the store before any is replaced; a store with a WAL, of both, is also copied with
  /// what the WAL has.
  private func refuseWithoutRoom() throws {
    func bytes(of name: String) -> Int64 { FileReader.size(of: parts.path(of: name)) ?? 0 }
    let main = backup.manifest.files.first { $0.path == backup.manifest.storeName }?.bytes ?? 0
    let wal = backup.manifest.files.first { $0.path == backup.manifest.storeName + "-wal" }?.bytes ?? 0
    let (oldMain, oldWAL) = (bytes(of: parts.name), bytes(of: parts.name + "-wal"))
    let needed = backup.manifest.files.reduce(
      (wal > 0 ? main.addingClamped(wal) : 0).addingClamped(oldWAL > 0 ? oldMain.addingClamped(oldWAL) : 0)
    ) { $0.addingClamped($1.bytes) }
    let folder = existingFolder
    guard let free = freeBytes(folder), free < needed else { return }
    throw StoreScopeError(
      .limit, "Restoring needs \(Sentence.size(needed)), but '\(folder)' has \(Sentence.size(free))",
      about: folder,
      advice: "free disk space or choose another path with --to", outcome: .unchanged)
  }

  private func refuseUnwritable() throws {
    let folder = existingFolder
    guard !Files.isWritable(folder) else { return }
    throw StoreScopeError.unwritable(
      folder, Platform.lastError(), advice: "choose another path with --to", outcome: .unchanged)
  }

  /// Looks at all that lies in the place before anything is made there.
  /// - Returns: whether a store that can be read is there.
  private func refusePlace(_ place: OpenFolder) throws -> Bool {
    guard try place.identity(of: parts.name) == found else {
      throw StoreScopeError(Files.madeMeanwhile(target), outcome: .unchanged)
    }
    try refuseForeignFolders()
    try refuseLinks(in: place)
    _ = try MergedStore.Sides(of: parts.name, in: place)
    guard found == nil else { return try refuseForeign() }
    let wasInterrupted = try place.kind(of: RestoreFolder.name(parts)) != nil
    if let part = try parts.present(in: place).first, occupant == .nothing || !isOwnPlace && !wasInterrupted {
      throw StoreScopeError(
        .occupied,
        "There is a '\(parts.path(of: part))' without '\(target)', which may belong to another store",
        about: target, advice: "choose another path with --to", outcome: .unchanged)
    }
    return false
  }

  /// Sees to it that no folder is filled that another store has its values in.
  private func refuseForeignFolders() throws {
    let folders = parts.folders.filter { folder in
      Files.exists(parts.path(of: folder)) || files.contains { $0.to.hasPrefix(folder + "/") }
    }
    guard let other = parts.otherOwner(of: folders) else { return }
    throw StoreScopeError(
      .occupied, parts.path(of: other), "stores its external values in the folder that '\(target)' would use",
      advice: "choose another path with --to, or move that store and its folder away", outcome: .unchanged)
  }

  /// A link's own file or folder may be another store's, and would be replaced by a file or folder.
  private func refuseLinks(in place: OpenFolder) throws {
    for name in parts.own where !parts.folders.contains(name) {
      guard let kind = try place.kind(of: name), kind != .file else { continue }
      throw StoreScopeError(
        .foreign, parts.path(of: name), "is \(OpenFolder.description(of: kind)), not a file",
        advice: "move it away", outcome: .unchanged)
    }
    guard let link = try parts.link(in: place) else { return }
    throw StoreScopeError(
      .refused, parts.path(of: link), "is a link, and 'restore' doesn't follow links",
      advice: "Move it away, or replace it with the file or folder itself.", outcome: .unchanged)
  }

  /// Sees to it that nobody has the store open, and that it is the one that the backup is of. One that can't be read
  /// any more is taken for that if it lies in the backup's own place.
  /// - Returns: whether it can be read.
  private func refuseForeign() throws -> Bool {
    guard found != nil else { return false }
    let files = try? StoreFiles(path: target)
    if let files, let holder = try LockProbe(files).holder() { throw holder.refusal(of: target) }
    guard let files, let uuid = Occupant.identifier(of: files) else {
      if isOwnPlace { return false }
      throw StoreScopeError(
        .occupied, "'\(target)' already exists and can't be read as a store", about: target,
        advice: "choose another path with --to", outcome: .unchanged)
    }
    guard uuid == backup.manifest.storeUUID else {
      throw StoreScopeError(
        .foreign, target,
        "is a different store from the one in '\(backup.folder)' (its identifier is \(uuid))",
        advice: "choose another path with --to", outcome: .unchanged)
    }
    return true
  }
}
