import Containers
import Discovery
import Evidence
import SystemCalls
import Values

/// Copies of stores with all that belongs to them, in a folder of the user's, where operations can change them.
struct StoreCopies {
  /// Of each copy.
  private(set) var paths: [String] = []

  /// - Throws: `StoreScopeError` if something is in the way, or a store is being written. What was copied until then stays.
  init(
    _ stores: [FoundStore], to folder: String, password: BackupPassword?, progress: @escaping (String) -> Void
  )
    throws
  {
    let folder = Platform.withoutLastSlashes(folder)
    var taken: Set<String> = []
    for store in stores {
      progress("copying \(store.address)")
      let source = try StoreSource(store.address, password: password, progress: progress)
      let name = "\(folder)/\(Self.folderName(store))"
      var (place, number) = (stores.count == 1 ? folder : name, 1)
      while !taken.insert(place).inserted {
        number += 1
        place = "\(name)-\(number)"
      }
      paths.append(try Self.copy(source, to: place))
    }
  }

  /// Whose it is, as far as that is a name that a folder may have.
  private static func folderName(_ store: FoundStore) -> String {
    let name = (store.owner.name ?? "store").replacing("/", with: "_")
    return name.isEmpty || name.hasPrefix(".") ? "store" : name
  }

  private static func copy(_ source: StoreSource, to folder: String) throws -> String {
    let path = "\(folder)/\(Platform.fileName(source.path))"
    try StoreFileGuard.checkNewStore(path)
    let made = missingFolders(folder)
    let before = try StoreFiles(path: source.path, at: source.location)
    let parts = StoreParts(path: before.resolvedPath)
    try Files.makeFolder(folder, mode: 0o755)
    let (from, to) = (try OpenFolder(parts.folder, following: true), try OpenFolder(folder, following: true))
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
