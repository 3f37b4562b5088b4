import Containers
import Values

/// Where backups of devices lie in an archive, as the paths of its members show.
struct PackedBackupFolders {
  /// Lists of files and of keys, by the folders they lie in.
  private var lists: [String: Set<String>] = [:]
  /// Folders with files that are named by their hashes.
  private var hashed: Set<String> = []
  /// A stranger's archive can have millions.
  private static let most = 10_000

  mutating func note(_ path: String) {
    if let (folder, list) = DeviceBackup.folder(ofListAt: path) {
      lists[folder, default: []].insert(list)
    } else if hashed.count < Self.most, let folder = DeviceBackup.folder(ofFileAt: path),
      PathText.split(path).folder != folder
    {
      hashed.insert(folder)
    }
  }

  /// An empty text stands for the archive itself.
  var all: [String] { lists.keys.filter(has).sorted() }

  /// Whether the path is that of a backup's file, which has a hash for its name.
  func hasFile(_ path: String) -> Bool { DeviceBackup.folder(ofFileAt: path).map(has) ?? false }

  /// Whether the path is that of a backup's list.
  func hasList(_ path: String) -> Bool { DeviceBackup.folder(ofListAt: path).map { has($0.folder) } ?? false }

  private func has(_ folder: String) -> Bool {
    guard let lists = lists[folder] else { return false }
    return DeviceBackup.isBackup(has: lists.contains) { hashed.contains(folder) }
  }
}
