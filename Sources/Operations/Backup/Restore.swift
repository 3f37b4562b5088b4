import Evidence
import SQLite
import StoreModel
package import Values

/// Puts a backup back.
package struct Restore {
  package var backup: Backup
  /// Where the store goes: absolute and without links.
  package let target: String
  package var progress: (String) -> Void

  /// - Parameter target: another place than the manifest's; nil for that.
  /// - Throws: `StoreScopeError` where the folder is no backup, or the place none for a store.
  package init(folder: String, to target: String? = nil, progress: @escaping (String) -> Void = { _ in })
    throws
  {
    backup = try Backup(folder: folder)
    self.target = try RestoreTarget.resolve(target ?? backup.manifest.storePath)
    self.progress = progress
  }

  private var isOwnPlace: Bool { target == (try? RestoreTarget.resolve(backup.manifest.storePath)) }

  /// Checks the backup, copies it beside the store, checks the copy, and puts it in the place of what is there, which is
  /// moved into a folder of its own.
  ///
  /// Several files can't be replaced at one moment. Where the system dies, or the process is killed, in between, there
  /// may be no store in the place: the old one is then whole in the folder `.NAME.replacing` and what is not yet moved
  /// into it, or in `NAME.TIME.replaced`; the next run goes on from there.
  /// - Returns: the folder in which the files that were there now lie; nil where there were none.
  /// - Throws: `StoreScopeError`; the store is then as it was, or the sentence says where it is.
  package func run(at time: CoreDataDate) throws -> String? {
    try backup.verify(progress: progress)
    let parts = StoreParts(path: target)
    let isThere = FileCopy.exists(target)
    let staging = "\(parts.folder)/.\(parts.name).restoring"
    let before = Set(parts.present)
    try refuseForeignFolders(parts)
    if isThere {
      try refuseForeign()
    } else if !isOwnPlace, let part = parts.present.first, !FileCopy.exists(staging),
      !FileCopy.exists(Self.aside(parts))
    {
      throw StoreScopeError(
        "There is a '\(parts.path(of: part))' without '\(target)', which may belong to another store; give --to another place. Nothing was changed."
      )
    }
    // Nobody may come between the check and the moving.
    let lock = isThere ? try StoreLock(path: target) : nil
    FileCopy.remove(staging)
    do {
      defer { FileCopy.remove(staging) }
      try stage(in: staging, as: parts)
      if let new = parts.present.first(where: { !before.contains($0) }) {
        throw StoreScopeError(
          "Somebody else made '\(parts.path(of: new))' meanwhile; it stays as it is, and nothing was changed."
        )
      }
      return try withExtendedLifetime(lock) {
        let replaced = try setAside(parts, hasStore: isThere, at: time)
        do { try place(staging, as: parts) } catch {
          try putBack(parts, from: replaced)
          throw error
        }
        FileCopy.settle(folder: parts.folder)
        return replaced
      }
    }
  }

  /// Sees to it that no folder is moved away, or filled, that another store has its values in.
  private func refuseForeignFolders(_ parts: StoreParts) throws {
    let original = StoreParts(path: backup.manifest.storePath)
    let restored = backup.manifest.files.map { original.renamed($0.path, as: parts) }
    let folders = parts.folders.filter { folder in
      FileCopy.exists(parts.path(of: folder)) || restored.contains { $0.hasPrefix(folder + "/") }
    }
    guard let other = parts.otherOwner(of: folders) else { return }
    throw StoreScopeError(
      "'\(parts.path(of: other))' keeps its values in the same folder as '\(target)' would; give --to another place, or move that store away with its folder. Nothing was changed."
    )
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
    FileCopy.takeOverFolders(
      of: backup.manifest.files.map { ($0.path, original.renamed($0.path, as: parts)) },
      in: backup.folder, to: staging)
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
    let folder = Self.aside(parts)
    let present = parts.present
    let earlier = parts.own.filter { FileCopy.exists("\(folder)/\($0)") }
    // What an interrupted run moved belongs to the same store, unless there is a new one.
    if !earlier.isEmpty, hasStore || !Set(earlier).isDisjoint(with: present) {
      _ = try keep(folder, of: parts, at: time)
    }
    if present.isEmpty, !FileCopy.exists(folder) { return nil }
    try FileCopy.makeFolder(folder)
    if let first = present.first { FileCopy.takeOwner(of: parts.path(of: first), to: folder) }
    do {
      for name in present { try FileCopy.move(parts.path(of: name), to: "\(folder)/\(name)") }
      FileCopy.settle(folder: folder)
      return try keep(folder, of: parts, at: time)
    } catch {
      try putBack(parts, from: folder)
      throw StoreScopeError("\(error) Everything was put back, so '\(target)' is as it was.")
    }
  }

  private static func aside(_ parts: StoreParts) -> String { "\(parts.folder)/.\(parts.name).replacing" }

  /// The store's file last, for the same reason. Never over what somebody made meanwhile; of what was placed until then
  /// only that is taken away again which is still the same.
  private func place(_ staging: String, as parts: StoreParts) throws {
    var placed: [(path: String, identity: FileCopy.Identity?)] = []
    do {
      for name in parts.own.reversed() where FileCopy.exists("\(staging)/\(name)") {
        progress("placing \(name)")
        let identity = FileCopy.Identity("\(staging)/\(name)")
        try FileCopy.moveNew("\(staging)/\(name)", to: parts.path(of: name))
        placed.append((parts.path(of: name), identity))
      }
    } catch {
      for file in placed.reversed() where FileCopy.Identity(file.path) == file.identity {
        FileCopy.remove(file.path)
      }
      throw error
    }
  }

  /// Nothing is put beside a store that somebody else made meanwhile.
  private func putBack(_ parts: StoreParts, from folder: String?) throws {
    guard let folder else { return }
    do {
      if FileCopy.exists("\(folder)/\(parts.name)"), FileCopy.exists(target) {
        throw StoreScopeError("Somebody else made it anew meanwhile.")
      }
      for name in parts.own.reversed() where FileCopy.exists("\(folder)/\(name)") {
        try FileCopy.moveNew("\(folder)/\(name)", to: parts.path(of: name))
      }
    } catch {
      throw StoreScopeError(
        "'\(target)' could not be put back: \(error) What was there is whole in '\(folder)' and beside it; the next 'restore' goes on from there."
      )
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
