package import Base
import Evidence
import StoreModel

/// A copy of a store with all that belongs to it, to be changed in place of the store.
package struct StoreCopy {
  private let parts: StoreParts
  /// What was made, by paths in the folder: what else comes to have those names is somebody else's.
  private var made: [(part: String, identity: FileIdentity?)] = []

  /// The copy of the main file.
  package var file: FileIdentity? { made.first { $0.part == parts.name }?.identity }

  /// - Parameter file: the main file that the path must lead to; nil for any.
  /// - Throws: `StoreScopeError` if something is at `target` already, the store is in use, or it is another file.
  package static func make(
    of path: String, file: FileIdentity? = nil, at target: String, progress: (String) -> Void
  ) throws -> StoreCopy {
    guard !Files.exists(target) else {
      throw StoreScopeError(
        .occupied, "'\(target)' already exists and was left alone", about: target,
        advice: "choose another path for the copy")
    }
    let files = try StoreFiles(path: path)
    guard file == nil || files.main.identity == file else {
      throw Plan.changed(path, "it's a different file now")
    }
    if let holder = try LockProbe(files).holder() {
      throw StoreScopeError(
        .busy, path, "is in use by \(holder.description), so a copy might be inconsistent",
        advice: "quit it first")
    }
    let source = StoreParts(path: files.resolvedPath)
    let copy = StoreParts(path: Platform.absolutePath(target))
    for part in copy.own where part != copy.name && Files.exists(copy.path(of: part)) {
      throw StoreScopeError(
        .occupied, "'\(copy.path(of: part))' already exists and would become a part of the copy",
        about: copy.path(of: part), advice: "choose another path for it")
    }
    try BackupManifest.refuseWriting(besideOne: copy)
    if let other = copy.otherOwner(of: copy.folders) {
      throw StoreScopeError(
        .occupied, copy.path(of: other),
        "stores its external values in the folder that '\(target)' would use",
        advice: "choose another path for the copy")
    }
    var result = StoreCopy(parts: copy)
    do {
      let all = try source.all().filter { $0 != source.name + "-shm" }
      try Files.makeFolder(copy.folder)
      let (from, to) = (try OpenFolder(source.folder), try OpenFolder(copy.folder, following: true))
      for part in all {
        progress("copying \(part)")
        let other = source.renamed(part, as: copy)
        try to.makeParent(of: other)
        try FileCopy.copy(part, in: from, to: other, in: to, isWritable: true)
        result.made.append((other, try to.identity(ofNew: other)))
      }
      FileAttributes.takeOverFolders(of: all.map { ($0, source.renamed($0, as: copy)) }, in: from, to: to)
      guard try StoreFiles(path: path) == files else {
        throw StoreScopeError(
          .changed, path, "changed while it was copied; the copy was removed, try again")
      }
      return result
    } catch {
      result.remove()
      throw error
    }
  }

  /// Takes away again what `make` made, and nothing else.
  package func remove() {
    let ours = made.filter { $0.identity != nil && FileIdentity(parts.path(of: $0.part)) == $0.identity }
    if ours.contains(where: { $0.part == parts.name }) {
      // SQLite's files next to it are of this copy: none was there before.
      for suffix in SideFiles.suffixes { Files.remove(parts.path(of: parts.name + suffix)) }
    }
    for (part, _) in ours {
      Files.remove(parts.path(of: part))
      var rest = part
      while let folder = PathText.split(rest).folder {
        rest = folder
        Files.removeEmptyFolder(parts.path(of: folder))
      }
    }
  }
}
