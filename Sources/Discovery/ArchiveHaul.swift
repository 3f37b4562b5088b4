import Base
import Evidence

/// What was taken out of an archive.
struct ArchiveHaul {
  let folder: PrivateFolder
  /// In the order of the archive; `inner` is the format of an archive, and nil for a store.
  private(set) var taken: [(path: String, part: String, inner: Archive.Format?)] = []
  private var takenPaths: Set<String> = []
  var owners = NotedOwners()
  /// What is worth a look.
  var known: Set<String> = []
  /// Paths of databases that aren't Core Data's.
  var left: Set<String> = []
  /// Databases of which there is a -wal with something in it, as far as that is known.
  var logged: Set<String> = []
  /// Why a store can't be opened, by its path.
  var problems: [String: String] = [:]
  /// Stores of which a part is behind the damage that ended the reading: what SQLite calls that part, such as `-wal`.
  var lost: [String: String] = [:]
  var backups = PackedBackupFolders()
  private var places: [String: Int] = [:]
  private var parts: [String: String] = [:]

  init(folder: PrivateFolder) { self.folder = folder }

  mutating func add(_ path: String, _ part: String, _ inner: Archive.Format? = nil) {
    taken.append((path, part, inner))
    takenPaths.insert(path)
  }

  func hasTaken(_ path: String) -> Bool { takenPaths.contains(path) }

  /// Whether the file can be read: not under its hash in a backup, whose list has its address, nor with half of its changes
  /// in a journal that is lost.
  func isWhole(_ path: String) -> Bool { lost[path] != "-journal" && !backups.hasFile(path) }

  /// Where a file is put: files of one folder together, and no folder deeper than another. The first spelling of a name
  /// counts: Unicode's forms of it are equal as text, and SQLite looks for the bytes of its own.
  mutating func part(_ path: String) -> String {
    if let part = parts[path] { return part }
    let (parent, name) = PathText.split(path)
    let number = places[parent ?? ""] ?? places.count
    places[parent ?? ""] = number
    let part = "\(number)/\(name)"
    parts[path] = part
    return part
  }

  /// Whom the containers around a file belong to.
  func owner(of path: String) -> Owner { Owner(ofFileAt: path, noted: owners) }
}
