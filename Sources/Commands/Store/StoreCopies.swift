import Containers
import Discovery
import Evidence
import SystemCalls
import Values

/// Copies of stores with all that belongs to them, in a folder of the user's, where operations can change them.
struct StoreCopies {
  /// Of each copy; nil for a store that could not be copied.
  private(set) var paths: [String?] = []
  /// Why not.
  private(set) var failures: [SkippedPlace] = []

  /// - Throws: `StoreScopeError` if the only store can't be copied; `InterruptedError` that says what was.
  init(
    _ stores: [FoundStore], to folder: String, password: BackupPassword?, progress: @escaping (String) -> Void
  )
    throws
  {
    let folder = Platform.withoutLastSlashes(folder)
    var taken: Set<String> = []
    for store in stores {
      progress("copying \(store.address)")
      let name = Self.folderName(store)
      var (place, number) = (stores.count == 1 ? "" : name, 1)
      while !taken.insert(place).inserted {
        number += 1
        place = "\(name)-\(number)"
      }
      do {
        let source = try StoreSource(store.address, password: password, progress: progress)
        paths.append(try Self.copy(source, to: folder, place))
      } catch {
        if error is InterruptedError || Interruption.isRequested {
          let count = paths.compactMap(\.self).count
          throw InterruptedError(
            count == 0 ? nil : "\(count) of \(Sentence.count(stores.count, "store")) were copied to \(folder)"
          )
        }
        guard stores.count > 1 else { throw error }
        paths.append(nil)
        failures.append(SkippedPlace(address: store.address, because: error.clause))
      }
    }
  }

  /// Whose it is, or if that isn't known its own name, as far as a folder may have it. By bytes, as the system takes paths: see `PathText`.
  private static func folderName(_ store: FoundStore) -> String {
    let (slash, dot, replacement) = (UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"))
    func usable(_ name: String) -> String? {
      let bytes = name.utf8.map { $0 == slash || $0 == 0 ? replacement : $0 }
      return bytes.isEmpty || bytes.first == dot ? nil : String(decoding: bytes, as: UTF8.self)
    }
    let name = Platform.fileName(store.address).utf8
    let stem = name.lastIndex(of: dot).map { name[..<$0] } ?? name[...]
    return store.owner.name.flatMap(usable) ?? usable(String(Substring(stem))) ?? "store"
  }

  /// - Parameter place: the copy's folder in that folder; none if it is empty.
  private static func copy(_ source: StoreSource, to named: String, _ place: String) throws -> String {
    let before = try StoreFiles(path: source.path, at: source.location)
    // What is named may be a link, and the store's other files go by its own name.
    let parts = StoreParts(path: before.resolvedPath)
    let folder = place.isEmpty ? named : "\(named)/\(place)"
    let path = "\(folder)/\(parts.name)"
    guard place.isEmpty || FileStatus(ofLink: folder)?.kind != .link else {
      throw StoreScopeError(
        .refused, folder, "is a link, which isn't followed", advice: "choose another folder")
    }
    do { try StoreFileGuard.checkNewStore(path) } catch {
      // Its name is the store's own: only the folder can be chosen.
      var error = error
      error.advice = "choose another folder"
      throw error
    }
    let made = missingFolders(folder)
    try Files.makeFolder(folder, mode: 0o755)
    let from = try OpenFolder(parts.folder, following: true)
    // A link may be what was named, and nothing in it.
    var to = try OpenFolder(named, following: true)
    if !place.isEmpty { to = try to.folder(place) }
    var copied: [String] = []
    do {
      // The -shm is made again by whoever opens the copy.
      for part in try parts.all() where part != parts.name + "-shm" {
        try to.makeParent(of: part)
        try FileCopy.copy(part, in: from, to: part, in: to, isWritable: true)
        copied.append(part)
      }
      guard try StoreFiles(path: source.path, at: source.location) == before else {
        throw StoreScopeError(
          .changed, source.path, "changed while it was copied", advice: "quit the app, and copy it again")
      }
    } catch {
      copied.forEach(to.remove)
      for part in copied { to.removeEmptyFolders(of: part) }
      made.forEach(Files.removeEmptyFolder)
      throw error
    }
    return path
  }

  /// Of the folder and those it lies in, what isn't there, the deepest first.
  private static func missingFolders(_ folder: String) -> [String] {
    var (missing, rest): ([String], String?) = ([], folder)
    while let path = rest, !path.isEmpty, !Files.exists(path) {
      missing.append(path)
      rest = PathText.split(path).folder
    }
    return missing
  }
}
