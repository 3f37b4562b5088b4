import Base
import Evidence

/// Puts a store in the place of another one, so that whoever is killed at any moment leaves one of them there, whole and
/// with all its values.
///
/// Several files can't be replaced at once, but one can: the main file. So each of them is there for a while as a
/// `MergedStore`, which is whole with and without its -wal:
///
/// 1. new external files come next to the old ones, under names that nothing has: their own, or spare ones;
/// 2. the old store merged, over the old main file; then its -wal, index and journal go: still the old store;
/// 3. the new store merged, over that, with the spare names in its rows: from here on the new store;
/// 4. the new external files get their own names, which the old store doesn't need any more, also those that no row
///    names: from the first to the last of these, the new rows have files of the old store's by their side;
/// 5. the new store merged, with those names, over that; then its -wal and the like come: the same pages;
/// 6. the new main file as it was backed up, over the merged one; then what nobody names any more goes.
///
/// What fails before the new store is there is undone. What fails then is tried again, and reported if it fails for good,
/// with the files that are still the old store's; another restore replaces them.
///
/// Every file that comes to have the store's name is locked before, so that nobody comes in on the way; who waits there
/// is waited for, see `waitForLatecomers`.
final class Replacement {
  /// The main files to be placed, by their paths in the work folder; nil if there is nothing to be merged or renamed.
  struct Mains {
    var mergedOld: String?
    var renamed: String?
    var merged: String?
    var new: String
  }

  /// Of the place.
  private let parts: StoreParts
  private let folder: RestoreFolder
  /// What comes, by paths in the place; all of it lies in the work folder's `new`.
  private let names: [String]
  private let spares: SpareNames
  /// What was there, see `RestoreFolder.keepOld`.
  private let kept: [String: FileIdentity]
  private let progress: (String) -> Void
  /// Whether it is the new store that is in the place.
  private(set) var isDone = false
  /// Files that are still the old store's, although the new store is in the place.
  private(set) var outdated: [String] = []
  private var current: FileIdentity?
  private var locks: [StoreLock] = []
  private var recovers = true
  /// Files and links that made room for what comes; `undo` restores them.
  private var gone: [String] = []
  private var added: [(name: String, identity: FileIdentity?)] = []

  private var place: OpenFolder { folder.place }
  private var external: [String] { names.filter { $0 != parts.name && !sides.contains($0) } }
  private var sides: [String] { SideFiles.suffixes.map { parts.name + $0 } }

  init(
    _ parts: StoreParts, _ folder: RestoreFolder, names: [String], spares: SpareNames,
    kept: [String: FileIdentity], lock: StoreLock?, progress: @escaping (String) -> Void
  ) {
    self.parts = parts
    self.folder = folder
    self.names = names
    self.spares = spares
    self.kept = kept
    self.progress = progress
    locks = lock.map { [$0] } ?? []
    current = kept[parts.name]
  }

  func run(_ mains: Mains) throws {
    let later = try addExternal()
    try settleOld(mains.mergedOld)
    try placeMain(mains.renamed ?? mains.merged ?? mains.new)
    isDone = true
    try replaceExternal(later)
    if mains.renamed != nil { try persistently { try placeMain(mains.merged ?? mains.new) } }
    try placeSides()
    if mains.merged != nil { try persistently { try placeMain(mains.new) } }
    try persistently(removeLeftovers)
  }

  /// For steps after which there is no way back: tried again if the system fails, as a disk or a server may recover. Each
  /// ends with one renaming, or does only what is left to do, so it can be repeated. What didn't recover isn't waited for
  /// again: everybody else is locked out meanwhile.
  private func persistently(_ step: () throws -> Void) throws {
    for pause in recovers ? [0.02, 0.2] : [] {
      do { return try step() } catch let error as StoreScopeError
        where [.unwritable, .unreadable].contains(error.kind)
      {
        Platform.pause(seconds: pause)
      }
    }
    do { try step() } catch {
      recovers = false
      throw error
    }
  }

  /// Puts the old store back, file for file, after `run` has thrown before the new one was there. Leaves alone what
  /// somebody else made.
  func undo() throws {
    for (name, identity) in added.reversed() where try place.identity(of: name) == identity {
      try place.removeFile(name)
    }
    for folder in parts.folders { removeEmptyFolders(in: folder) }
    for name in gone where try place.kind(of: name) == nil {
      try place.makeParent(of: name)
      try putBack(name)
    }
    guard let current, try place.identity(of: parts.name) == current else { return }
    // The -wal first: the merged store is whole with it, the other one only with it.
    for name in sides where try kept[name] != nil && place.kind(of: name) == nil { try putBack(name) }
    if current != kept[parts.name] { try putBack(parts.name) }
  }

  /// Keeps the locks until nobody else has a file open any more that had the store's name on the way. Without them SQLite
  /// would go on in that file, but with the -wal and the journal that have the store's name now, and damage the store:
  /// https://www.sqlite.org/howtocorrupt.html#_unlinking_or_renaming_a_database_file_while_in_use
  func waitForLatecomers() {
    let present = try? place.identity(of: parts.name)
    withExtendedLifetime(locks) {
      FileUsers.wait(for: Set(locks.map(\.identity).filter { $0 != present }), progress: progress)
    }
  }

  private func putBack(_ name: String) throws {
    try folder.files.move("\(RestoreFolder.old)/\(name)", to: place, as: name)
  }

  // MARK: - Main files

  private func settleOld(_ merged: String?) throws {
    // An index is made again; without it SQLite reads the -wal itself.
    try remove(parts.name + "-shm")
    if let merged { try placeMain(merged) }
    for name in sides { try remove(name) }
    place.sync()
  }

  private func placeMain(_ path: String) throws {
    progress("placing \(parts.name)")
    let lock = try StoreLock(path, in: folder.files)
    if let current {
      guard try place.identity(of: parts.name) == current else {
        throw Files.madeMeanwhile(place.path(of: parts.name))
      }
      try folder.files.move(path, to: place, as: parts.name)
    } else {
      try folder.files.moveNew(path, to: place, as: parts.name)
    }
    locks.append(lock)
    current = lock.identity
    place.sync()
  }

  private func placeSides() throws {
    for name in sides where names.contains(name) {
      progress("placing \(name)")
      try persistently { try folder.files.moveNew("\(RestoreFolder.new)/\(name)", to: place, as: name) }
    }
    place.sync()
  }

  // MARK: - External files

  /// Adds the values that come, and takes nothing away that the old store has.
  /// - Returns: those whose names are taken.
  private func addExternal() throws -> [String] {
    var later: [String] = []
    var folders: Set<String> = []
    for name in external {
      progress("placing \(name)")
      try makeFolders(of: name, &folders)
      let staged = "\(RestoreFolder.new)/\(name)"
      guard try place.kind(of: name) != nil else {
        try add(name) { try folder.files.moveNew(staged, to: place, as: name) }
        continue
      }
      guard try place.kind(of: name) == .folder || place.identity(of: name) == kept[name] else {
        throw Files.madeMeanwhile(place.path(of: name))
      }
      later.append(name)
      guard let spare = spares.parts[name] else { continue }
      try add(spare) {
        if try !folder.files.link(staged, to: place, as: spare) {
          try FileCopy.copy(staged, in: folder.files, to: spare, in: place)
        }
      }
    }
    for folder in folders { place.sync(folder) }
    return later
  }

  private func add(_ name: String, _ body: () throws -> Void) throws {
    try body()
    added.append((name, try place.identity(ofNew: name)))
  }

  /// Gives files their own names, over what has them. One that can't have its name keeps none of the others from theirs.
  private func replaceExternal(_ names: [String]) throws {
    var failure: (any Error)?
    for name in names {
      progress("replacing \(name)")
      do { try persistently { try replace(name) } } catch {
        failure = failure ?? error
        if spares.isOutOfReach(name, of: parts) { outdated.append(name) }
      }
    }
    for folder in Set(names.compactMap { PathText.split($0).folder }) { place.sync(folder) }
    if let failure { throw failure }
  }

  private func replace(_ name: String) throws {
    let staged = "\(RestoreFolder.new)/\(name)"
    if let identity = kept[name], try identity == place.identity(of: name) {
      try folder.files.move(staged, to: place, as: name)
    } else {
      try takeFolderAway(name)
      try folder.files.moveNew(staged, to: place, as: name)
    }
  }

  private func removeLeftovers() throws {
    for spare in spares.parts.values { try place.removeFile(spare) }
    let external = Set(external)
    for name in kept.keys where name.contains("/") && !external.contains(name) { try remove(name) }
    for folder in parts.folders { removeEmptyFolders(in: folder) }
    place.sync()
  }

  /// Makes the folders in which a file lies. What was no folder there goes; it is kept.
  private func makeFolders(of name: String, _ made: inout Set<String>) throws {
    var part = ""
    for component in PathText.names(name).dropLast() {
      part += part.isEmpty ? component : "/\(component)"
      guard made.insert(part).inserted, try place.kind(of: part) != .folder else { continue }
      try remove(part)
      if kept[part] != nil { gone.append(part) }
      guard try place.makeNewFolder(part) else { throw Files.madeMeanwhile(place.path(of: part)) }
    }
  }

  /// A folder where a file of the new store goes; all in it is kept.
  private func takeFolderAway(_ name: String) throws {
    guard try place.kind(of: name) == .folder else { return }
    for inside in kept.keys where inside.hasPrefix(name + "/") { try remove(inside) }
    removeEmptyFolders(in: name)
  }

  /// Takes a file away that is kept; throws if somebody else has put another one there.
  private func remove(_ name: String) throws {
    guard let identity = kept[name], let present = try place.identity(of: name) else { return }
    guard present == identity else { throw Files.madeMeanwhile(place.path(of: name)) }
    // Another store's main file next to this -wal would be neither of the two.
    try place.removeFile(name)
  }

  private func removeEmptyFolders(in folder: String) {
    guard (try? place.kind(of: folder)) == .folder else { return }
    for name in (try? place.names(in: folder)) ?? [] { removeEmptyFolders(in: "\(folder)/\(name)") }
    place.removeEmptyFolder(folder)
  }
}
