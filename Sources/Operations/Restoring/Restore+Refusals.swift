import Base
import Evidence
import StoreModel

/// What keeps a backup from being restored, so that nothing is begun that can't be finished.
extension Restore {
  /// Whatever can be known to keep it from being done, so that nobody is asked for consent in vain.
  package func refuseKnownProblems() throws {
    try backup.verify(progress: progress)
    try refuseUnwritable()
    try refuseWithoutRoom()
    guard Files.exists(parts.folder) else { return }
    _ = try refusePlace(OpenFolder(parts.folder))
  }

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
  func refuseWithoutRoom() throws {
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
  func refusePlace(_ place: OpenFolder) throws -> Bool {
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
  func refuseForeign() throws -> Bool {
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
