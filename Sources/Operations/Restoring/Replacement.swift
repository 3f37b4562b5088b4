import Values

/// Puts a store in the place of another one, so that whoever is killed at any moment leaves one of them whole there.
///
/// Several files can't be replaced at once, but one can: the main file. So each of them is there for a while as a
/// `MergedStore`, which is whole with and without its -wal:
///
/// 1. new external files come beside the old ones: their names are UUIDs, and no store minds what it doesn't name;
/// 2. the old store merged, over the old main file; then its -wal, index and journal go: still the old store;
/// 3. the new store merged, over that: from here on the new store; then its -wal and the like come: the same pages;
/// 4. the new main file as it was backed up, over the merged one; then what nobody names any more goes.
///
/// Every file that comes to have the store's name is locked before, so that nobody comes in on the way; who waits there
/// is waited for, see `waitForLatecomers`.
final class Replacement {
  /// Of the place.
  let parts: StoreParts
  let folder: RestoreFolder
  /// What comes, by paths in the place; all of it lies in the folder's `new`.
  let names: [String]
  /// What was there, see `RestoreFolder.keepOld`.
  let kept: [String: FileIdentity]
  let progress: (String) -> Void
  /// Whether it is the new store that is in the place.
  private(set) var isDone = false
  private var current: FileIdentity?
  private var locks: [StoreLock] = []
  /// Files and links that made room for what comes; `undo` puts them back.
  private var gone: [String] = []
  private var placed: [(name: String, identity: FileIdentity?)] = []

  init(
    _ parts: StoreParts, _ folder: RestoreFolder, names: [String], kept: [String: FileIdentity],
    lock: StoreLock?, progress: @escaping (String) -> Void
  ) {
    self.parts = parts
    self.folder = folder
    self.names = names
    self.kept = kept
    self.progress = progress
    locks = lock.map { [$0] } ?? []
    current = kept[parts.name]
  }

  /// - Parameters:
  ///   - old: the store that is there, merged; nil where it has nothing to be merged, or is no store any more.
  ///   - new: the same of the store that comes.
  func run(old: String?, new: String?) throws {
    let sides = SideFiles.suffixes.map { parts.name + $0 }
    let external = names.filter { $0 != parts.name && !sides.contains($0) }
    try placeExternal(external)
    // An index is made anew; without it SQLite reads the -wal itself.
    try remove(parts.name + "-shm")
    if let old { try placeMain(old) }
    for name in sides { try remove(name) }
    Files.sync(folder: parts.folder)
    try placeMain(new ?? "\(folder.new)/\(parts.name)")
    isDone = true
    for name in sides where names.contains(name) {
      progress("placing \(name)")
      try Files.moveNew("\(folder.new)/\(name)", to: parts.path(of: name))
    }
    Files.sync(folder: parts.folder)
    if new != nil { try placeMain("\(folder.new)/\(parts.name)") }
    for name in kept.keys where name.contains("/") && !external.contains(name) { try remove(name) }
    for folder in parts.folders { removeEmptyFolders(in: folder) }
    Files.sync(folder: parts.folder)
  }

  /// Puts the old store back, file for file, after `run` has thrown before the new one was there. Leaves alone what
  /// somebody else made.
  func undo() throws {
    for (name, identity) in placed.reversed() where FileIdentity(parts.path(of: name)) == identity {
      if kept[name] == nil { Files.remove(parts.path(of: name)) } else { try putBack(name) }
    }
    for folder in parts.folders { removeEmptyFolders(in: folder) }
    for name in gone where !Files.exists(parts.path(of: name)) {
      if let slash = name.lastIndex(of: "/") { try Files.makeFolder(parts.path(of: String(name[..<slash]))) }
      try putBack(name)
    }
    guard let current, FileIdentity(parts.path(of: parts.name)) == current else { return }
    // The -wal first: the merged store is whole with it, the other one only with it.
    for name in SideFiles.suffixes.map({ parts.name + $0 })
    where kept[name] != nil && !Files.exists(parts.path(of: name)) {
      try putBack(name)
    }
    if current != kept[parts.name] { try putBack(parts.name) }
  }

  /// Keeps the locks until nobody else has a file open any more that had the store's name on the way. Without them SQLite
  /// would go on in that file, but with the -wal and the journal that have the store's name now, and damage the store:
  /// https://www.sqlite.org/howtocorrupt.html#_unlinking_or_renaming_a_database_file_while_in_use
  func waitForLatecomers() {
    let present = FileIdentity(parts.path(of: parts.name))
    withExtendedLifetime(locks) {
      FileUsers.wait(for: Set(locks.compactMap(\.identity).filter { $0 != present }), progress: progress)
    }
  }

  private func putBack(_ name: String) throws {
    try Files.move("\(folder.old)/\(name)", to: parts.path(of: name))
  }

  private func placeMain(_ path: String) throws {
    progress("placing \(parts.name)")
    let lock = try StoreLock(path: path)
    let target = parts.path(of: parts.name)
    if let current {
      guard FileIdentity(target) == current else { throw Files.madeMeanwhile(target) }
      try Files.move(path, to: target)
    } else {
      try Files.moveNew(path, to: target)
    }
    locks.append(lock)
    current = lock.identity
    Files.sync(folder: parts.folder)
  }

  private func placeExternal(_ names: [String]) throws {
    var folders: Set<String> = []
    for name in names {
      progress("placing \(name)")
      let path = parts.path(of: name)
      try makeFolders(of: name, &folders)
      let new = FileIdentity("\(folder.new)/\(name)")
      if let identity = kept[name], identity == FileIdentity(path) {
        try Files.move("\(folder.new)/\(name)", to: path)
      } else {
        try takeFolderAway(name)
        try Files.moveNew("\(folder.new)/\(name)", to: path)
      }
      placed.append((name, new))
    }
    for folder in folders { Files.sync(folder: folder) }
  }

  /// Makes the folders in which a file lies. What was no folder there goes; it is kept.
  private func makeFolders(of name: String, _ made: inout Set<String>) throws {
    var path = parts.folder
    var part = ""
    for component in name.split(separator: "/").dropLast() {
      part += part.isEmpty ? String(component) : "/\(component)"
      path = parts.path(of: part)
      guard made.insert(path).inserted, !Files.isFolder(path) else { continue }
      try takeAway(part)
      guard try Files.makeNewFolder(path) else { throw Files.madeMeanwhile(path) }
    }
  }

  /// A folder where a file of the new store goes; all in it is kept.
  private func takeFolderAway(_ name: String) throws {
    guard Files.isFolder(parts.path(of: name)) else { return }
    for inside in kept.keys where inside.hasPrefix(name + "/") { try takeAway(inside) }
    removeEmptyFolders(in: name)
  }

  private func takeAway(_ name: String) throws {
    try remove(name)
    if kept[name] != nil { gone.append(name) }
  }

  /// Takes a file away that is kept; nothing where somebody else has put another one there.
  private func remove(_ name: String) throws {
    guard let identity = kept[name] else { return }
    let path = parts.path(of: name)
    guard let present = FileIdentity(path) else { return }
    guard present == identity else { throw Files.madeMeanwhile(path) }
    // Another store's main file beside this -wal would be neither of the two.
    try Files.removeFile(path)
  }

  private func removeEmptyFolders(in folder: String) {
    let path = parts.path(of: folder)
    guard Files.isFolder(path) else { return }
    for name in (try? FileReader.names(in: path, limit: .max)) ?? [] {
      removeEmptyFolders(in: "\(folder)/\(name)")
    }
    Files.removeEmptyFolder(path)
  }
}
