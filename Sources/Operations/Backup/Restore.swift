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

  /// Checks the backup, takes what is there out of the way, puts the backup's files in its place and checks them.
  /// - Returns: the folder in which the files that were there now lie; nil where there were none.
  /// - Throws: `StoreScopeError`; the store is then as it was, or, where the system died in between, whole in the folder
  ///   that the sentence names.
  package func run(at time: CoreDataDate) throws -> String? {
    try backup.verify(progress: progress)
    let parts = StoreParts(path: target)
    let original = StoreParts(path: backup.manifest.storePath)
    if FileCopy.exists(target) { try refuseForeign() }
    let staging = "\(parts.folder)/.\(parts.name).restoring"
    FileCopy.remove(staging)
    try FileCopy.makeFolder(staging)
    var isInPlace = false
    defer { if !isInPlace { FileCopy.remove(staging) } }
    var names: [(staged: String, final: String)] = []
    for file in backup.manifest.files {
      progress("copying \(file.path)")
      let final = original.renamed(file.path, as: parts)
      let staged = "\(staging)/\(final)"
      if let slash = staged.lastIndex(of: "/") { try FileCopy.makeFolder(String(staged[..<slash])) }
      let copied = try FileCopy.copy("\(backup.folder)/\(file.path)", to: staged)
      guard copied.sha256 == file.sha256 else {
        throw StoreScopeError(
          "'\(file.path)' changed while it was copied out of '\(backup.folder)'; nothing was changed.")
      }
      names.append((staged, parts.path(of: final)))
    }
    let replaced = try setAside(parts, at: time)
    isInPlace = true
    // The main file last: until it is there, there is no store that could be opened half.
    let ends = Set(parts.folders + names.map(\.final).compactMap { topName($0, in: parts) })
    for name in ends.sorted(by: { one, _ in one != parts.name }) where FileCopy.exists("\(staging)/\(name)") {
      try FileCopy.move("\(staging)/\(name)", to: parts.path(of: name))
    }
    FileCopy.remove(staging)
    FileCopy.settle(folder: parts.folder)
    return replaced
  }

  /// Sees to it that nobody has the store open, and that it is the one that the backup is of.
  private func refuseForeign() throws {
    let locked = try LockedStore(path: target)
    defer { locked.close() }
    let uuid = try? StoreMetadata.read(from: locked.connection)?.uuid
    guard uuid == backup.manifest.storeUUID else {
      throw StoreScopeError(
        "'\(target)' is another store than the one in '\(backup.folder)' (its identifier is \(uuid.flatMap { $0 } ?? "missing")); give --to another place. Nothing was changed."
      )
    }
  }

  private func setAside(_ parts: StoreParts, at time: CoreDataDate) throws -> String? {
    let present =
      ([parts.name, parts.name + "-wal", parts.name + "-shm", parts.name + "-journal"] + parts.folders)
      .filter { FileCopy.exists(parts.path(of: $0)) }
    if present.isEmpty { return nil }
    let stamp = (time.iso8601 ?? "").split(separator: ".")[0].filter { $0.isNumber || $0 == "T" }
    let folder = "\(parts.folder)/\(parts.name).\(stamp)Z.replaced"
    try FileCopy.makeFolder(folder)
    for name in present { try FileCopy.move(parts.path(of: name), to: "\(folder)/\(name)") }
    return folder
  }

  private func topName(_ path: String, in parts: StoreParts) -> String? {
    path.dropFirst(parts.path(of: "").count).split(separator: "/").first.map(String.init)
  }
}
