import SQLite
import Values

/// Makes the copy that everything can be put back from.
package struct Backup {
  package let folder: String
  package let manifest: BackupManifest

  /// Copies all that belongs to a store that is held under lock, and reads the copy back.
  ///
  /// It first has a name that ends in `.incomplete`, so that a torn one never looks like a backup.
  /// - Parameters:
  ///   - parent: where the backup's folder is made.
  ///   - time: goes into its name.
  /// - Throws: `StoreScopeError` where it can't be made, or doesn't hold what it should.
  static func make(
    of locked: LockedStore, operation: String, storeUUID: String, in parent: String, version: String,
    at time: CoreDataDate, progress: (String) -> Void
  ) throws -> Backup {
    let parts = StoreParts(path: locked.path)
    let all = try parts.all().filter { $0 != parts.name + "-wal" || locked.hadWAL }
    let name = Self.name(store: parts.name, operation: operation, at: time)
    let folder = "\(parent)/\(name)"
    guard !FileCopy.exists(folder) else {
      throw StoreScopeError(
        "The backup '\(folder)' is already there; wait a second, or give another --backup-to.")
    }
    let incomplete = folder + ".incomplete"
    FileCopy.remove(incomplete)
    try FileCopy.makeFolder(incomplete)
    do {
      var files: [BackupManifest.File] = []
      for part in all {
        progress("backing up \(part)")
        let target = "\(incomplete)/\(part)"
        if let slash = target.lastIndex(of: "/") { try FileCopy.makeFolder(String(target[..<slash])) }
        let copied =
          part == parts.name
          ? try locked.copyMainFile(to: target) : try FileCopy.copy(parts.path(of: part), to: target)
        files.append(BackupManifest.File(path: part, bytes: copied.bytes, sha256: copied.sha256))
      }
      FileCopy.takeOverFolders(of: all.map { ($0, $0) }, in: parts.folder, to: incomplete)
      let manifest = BackupManifest(
        version: version, operation: operation, time: time, storePath: locked.path, storeUUID: storeUUID,
        files: files)
      try manifest.write(to: incomplete)
      for name in ["", "/" + BackupManifest.name, "/" + BackupManifest.hashName] {
        FileCopy.takeOwner(of: locked.path, to: incomplete + name)
      }
      let backup = Backup(folder: incomplete, manifest: manifest)
      try backup.verify(progress: progress)
      FileCopy.settle(folder: incomplete)
      try FileCopy.move(incomplete, to: folder)
      FileCopy.settle(folder: parent)
      return Backup(folder: folder, manifest: manifest)
    } catch {
      FileCopy.remove(incomplete)
      throw error
    }
  }

  /// Opens a backup that was made before.
  package init(folder: String) throws {
    let folder = BackupManifest.folder(folder)
    self.folder = folder
    manifest = try BackupManifest(folder: folder)
  }

  private init(folder: String, manifest: BackupManifest) {
    self.folder = folder
    self.manifest = manifest
  }

  /// Reads every file of it again and compares sizes and hashes.
  package func verify(progress: (String) -> Void) throws {
    for file in manifest.files {
      progress("checking \(file.path)")
      let found = try FileCopy.measure("\(folder)/\(file.path)")
      guard found.bytes == file.bytes, found.sha256 == file.sha256 else {
        throw StoreScopeError(
          "The backup '\(folder)' is damaged: '\(file.path)' is not what its manifest says; nothing was changed."
        )
      }
    }
  }

  /// `App.store.20261121T064512Z.resync-pull.backup`
  private static func name(store: String, operation: String, at time: CoreDataDate) -> String {
    let stamp = (time.iso8601 ?? "").split(separator: ".")[0].filter { $0.isNumber || $0 == "T" }
    let words = operation.split(separator: " ").map { $0.drop { $0 == "-" } }.joined(separator: "-")
    return "\(store).\(stamp)Z.\(words).backup"
  }
}
