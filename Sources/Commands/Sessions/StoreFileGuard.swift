package import Base
import Evidence

/// Keeps results from being written over stores and among their files.
package enum StoreFileGuard {
  /// Asks for names and file numbers only, where it can: to open and close a file of the store would drop the locks that
  /// this process holds on it (https://www.sqlite.org/howtocorrupt.html, 2.2).
  /// - Parameter store: the store that is read.
  /// - Throws: if the path leads to a file or folder of a store, into such a folder, or would become such a file.
  package static func check(_ path: String, keeping store: String?) throws(StoreScopeError) {
    let store = store.map(StoreSource.file)
    let own = Set(store.map(identities) ?? [])
    for place in places(path) {
      if let what = occupant(of: place, own, store) {
        throw StoreScopeError(
          .refused, path, "is \(what), which is never overwritten", advice: "choose another file")
      }
      // SQLite would take it for its own as soon as the store is opened.
      if SideFiles.owner(of: place) != nil {
        throw StoreScopeError(
          .refused, path, "has a name that SQLite uses for a store's own files",
          advice: "choose another name")
      }
      if withFolders(place).contains(where: { isStoreFolder($0, own) }) {
        throw StoreScopeError(
          .refused, path, "is in a folder that belongs to a store", advice: "choose another location")
      }
    }
  }

  /// The same for a file that was opened to be written to, whatever name led to it.
  package static func check(
    _ status: FileStatus, at path: String, keeping store: String?
  ) throws(StoreScopeError) {
    guard let store = store.map(StoreSource.file), identities(ofStoreAt: store).contains(status.identity)
    else { return }
    throw StoreScopeError(
      .refused, path, "is a file of the open store, which is never overwritten", advice: "choose another file"
    )
  }

  /// What is there that results must not replace; nil if it may be replaced, or isn't there.
  private static func occupant(of place: String, _ own: Set<FileIdentity>, _ store: String?) -> String? {
    // The open store's files aren't opened here: closing them would drop this process's locks.
    if let identity = FileIdentity(following: place), own.contains(identity) {
      if FileReader.kind(of: place) == .folder { return "a folder of the open store" }
      let isMain = store.flatMap { FileIdentity(following: $0) } == identity
      return isMain ? "the open store" : "a file of the open store"
    }
    return StoreHeader.isDatabase(place) ? "an SQLite database" : nil
  }

  /// The same for a store that will be made: nothing may be there that would belong to it.
  package static func checkNewStore(_ path: String) throws(StoreScopeError) {
    try check(path, keeping: nil)
    let parts = StoreParts(path: Platform.absolutePath(path))
    if let taken = parts.present.first {
      throw StoreScopeError(
        .occupied,
        "can't make a store at '\(path)': '\(parts.path(of: taken))' already exists and would become a part of it",
        about: path, advice: "choose another location")
    }
  }

  /// Where a file of that path would lie, and where it does if a link leads on.
  private static func places(_ path: String) -> [String] {
    let path = Platform.withoutLastSlashes(Platform.absolutePath(path))
    let parts = StoreParts(path: path)
    let named = Platform.realPath(parts.folder).map { "\($0 == "/" ? "" : $0)/\(parts.name)" } ?? path
    guard let real = Platform.realPath(path), real != named else { return [named] }
    return [named, real]
  }

  private static func withFolders(_ place: String) -> [String] {
    place.indices.dropFirst().filter { place[$0] == "/" }.map { String(place[..<$0]) } + [place]
  }

  private static func isStoreFolder(_ path: String, _ own: Set<FileIdentity>) -> Bool {
    let name = Platform.fileName(path).lowercased()
    return name.hasPrefix(".") && name.hasSuffix("_support") || name.hasSuffix("_ckassets")
      || FileIdentity(following: path).map(own.contains) ?? false
  }

  /// Of all that belongs to the store.
  private static func identities(ofStoreAt path: String) -> [FileIdentity] {
    let parts = StoreParts(path: Platform.realPath(path) ?? Platform.absolutePath(path))
    return parts.present.compactMap { FileIdentity(following: parts.path(of: $0)) }
  }
}
