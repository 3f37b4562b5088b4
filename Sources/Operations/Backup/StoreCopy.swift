import Evidence
import Values

/// A copy of a store with all that belongs to it, to be changed in place of the store.
package enum StoreCopy {
  /// - Throws: `StoreScopeError` where something is at `target` already, or the store is in use.
  package static func make(of path: String, at target: String, progress: (String) -> Void) throws {
    guard !Files.exists(target) else {
      throw StoreScopeError(
        "There is already a '\(target)', which stays as it is; name another place for the copy.")
    }
    let files = try StoreFiles(path: path)
    if let holder = try LockProbe(files).holder() {
      throw StoreScopeError(
        "'\(path)' is in use by \(holder.description), so a copy might be torn; quit it first.")
    }
    let source = StoreParts(path: files.resolvedPath)
    let copy = StoreParts(path: Platform.absolutePath(target))
    for part in copy.own where part != copy.name && Files.exists(copy.path(of: part)) {
      throw StoreScopeError(
        "There is already a '\(copy.path(of: part))', which would belong to the copy; name another place for it."
      )
    }
    do {
      let all = try source.all().filter { $0 != source.name + "-shm" }
      for part in all {
        progress("copying \(part)")
        let place = copy.path(of: source.renamed(part, as: copy))
        if let slash = place.lastIndex(of: "/") { try Files.makeFolder(String(place[..<slash])) }
        _ = try FileCopy.copy(source.path(of: part), to: place)
        FileAttributes.makeWritable(place)
      }
      FileAttributes.takeOverFolders(
        of: all.map { ($0, source.renamed($0, as: copy)) }, in: source.folder, to: copy.folder)
      guard try StoreFiles(path: path) == files else {
        throw StoreScopeError(
          "'\(path)' changed while it was copied; the copy was taken away again, try once more.")
      }
    } catch {
      remove(at: target)
      throw error
    }
  }

  /// Takes a copy that `make` made away again.
  package static func remove(at target: String) {
    let copy = StoreParts(path: Platform.absolutePath(target))
    for part in copy.own { Files.remove(copy.path(of: part)) }
  }
}
