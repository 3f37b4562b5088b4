import Containers

/// Where backups of devices lie in an archive, as the paths of its members show.
struct PackedBackupFolders {
  /// Folders with a backup's list of files, and with its list of keys.
  private var listed: (files: Set<String>, keys: Set<String>) = ([], [])

  mutating func note(_ path: String) {
    guard let (folder, isKeys) = DeviceBackup.folder(ofListAt: path) else { return }
    if isKeys { listed.keys.insert(folder) } else { listed.files.insert(folder) }
  }

  /// An empty text stands for the archive itself.
  var all: [String] { listed.files.intersection(listed.keys).sorted() }

  /// Whether the path is that of a backup's file, which has a hash for its name.
  func hasFile(_ path: String) -> Bool { DeviceBackup.folder(ofFileAt: path).map(has) ?? false }

  /// Whether the path is that of a backup's list.
  func hasList(_ path: String) -> Bool { DeviceBackup.folder(ofListAt: path).map { has($0.folder) } ?? false }

  private func has(_ folder: String) -> Bool { listed.files.contains(folder) && listed.keys.contains(folder) }
}
