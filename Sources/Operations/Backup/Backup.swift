import Base
import Evidence
import SQLite

/// Makes the copy that everything can be restored from.
package struct Backup {
  package let folder: String
  package let manifest: BackupManifest
  /// What isn't in it although it lies in the store's folders, a sentence each.
  var notes: [String] = []

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
    let contents = try parts.contents()
    let all = contents.files.filter { $0 != parts.name + "-wal" || locked.hadWAL }
    let words = operation.split(separator: " ").map { $0.drop { $0 == "-" } }.joined(separator: "-")
    let folder = StampedName.free(
      store: parts.name, time: time, ending: "\(words).\(StampedName.backup)", in: parent)
    let incomplete = StampedName.incomplete(folder)
    guard let claim = try ClaimedFolder(making: incomplete) else { throw Files.madeMeanwhile(incomplete) }
    defer { withExtendedLifetime(claim) {} }
    do {
      let (source, target) = (try OpenFolder(parts.folder), claim.folder)
      var files: [BackupManifest.File] = []
      for part in all {
        progress("backing up \(part)")
        try target.makeParent(of: part)
        let copied =
          part == parts.name
          ? try locked.copyMainFile(to: target, as: part)
          : try FileCopy.copy(part, in: source, to: part, in: target)
        files.append(BackupManifest.File(path: part, bytes: copied.bytes, sha256: copied.sha256))
      }
      FileAttributes.takeOverFolders(of: all.map { ($0, $0) }, in: source, to: target)
      let manifest = BackupManifest(
        version: version, operation: operation, time: time, storePath: locked.path, storeUUID: storeUUID,
        files: files)
      try manifest.write(to: incomplete)
      for name in ["", "/" + BackupFolder.manifest, "/" + BackupFolder.manifestHash] {
        FileAttributes.takeOwner(of: locked.path, to: incomplete + name)
      }
      let backup = Backup(folder: incomplete, manifest: manifest)
      try backup.verify(progress: progress)
      target.sync()
      let place = try OpenFolder(parent, following: true)
      try place.move(PathText.split(incomplete).name, to: place, as: PathText.split(folder).name)
      place.sync()
      var made = Backup(folder: folder, manifest: manifest)
      made.notes = parts.note(onLinks: contents.links, missingIn: "the backup").map { [$0] } ?? []
      return made
    } catch {
      claim.remove()
      throw error
    }
  }

  /// Opens a backup that was made before.
  package init(folder: String) throws {
    let folder = Platform.withoutLastSlashes(folder)
    self.folder = folder
    manifest = try BackupManifest(folder: folder)
  }

  private init(folder: String, manifest: BackupManifest) {
    self.folder = folder
    self.manifest = manifest
  }

  /// Reads every file of it again and compares sizes and hashes.
  package func verify(progress: (String) -> Void) throws {
    let opened = try OpenFolder(folder, following: true)
    // Before anything is opened: a pipe or a device in it could keep us forever.
    for file in manifest.files {
      let kind = try opened.kind(of: file.path)
      guard kind == .file else {
        throw StoreScopeError(
          .damaged,
          "The backup '\(folder)' is damaged: '\(file.path)' in it is \(OpenFolder.description(of: kind))\(kind == nil ? "" : ", not a file")",
          about: folder, outcome: .unchanged)
      }
      guard try opened.size(of: file.path) == file.bytes else { throw damage(file) }
    }
    for file in manifest.files {
      progress("checking \(file.path)")
      let found = try FileCopy.measure(file.path, in: opened, limit: file.bytes)
      guard found.bytes == file.bytes, found.sha256 == file.sha256 else { throw damage(file) }
    }
  }

  private func damage(_ file: BackupManifest.File) -> StoreScopeError {
    StoreScopeError(
      .damaged, "The backup '\(folder)' is damaged: '\(file.path)' doesn't match its manifest",
      about: folder, outcome: .unchanged)
  }

  /// Takes away what killed runs left of backups of the store, which nobody else can be making: it is locked.
  /// - Returns: a sentence for each.
  static func removeIncomplete(of locked: LockedStore, in parent: String) -> [String] {
    let parts = StoreParts(path: locked.path)
    // Elsewhere it may be of another store of that name, of which a backup is being made.
    let isOwnFolder = FileIdentity(following: parent) == FileIdentity(following: parts.folder)
    return StampedName.incompleteBackups(of: parts.name, in: parent).map { name in
      let path = "\(parent)/\(name)"
      guard isOwnFolder else {
        return
          "'\(path)' is part of a backup from a killed run; remove it unless a backup is in progress there."
      }
      guard ClaimedFolder(path)?.remove() == true else {
        return "'\(path)' looks like part of a backup from a killed run, and couldn't be removed."
      }
      return "'\(path)', part of a backup from a killed run, was removed."
    }
  }
}
