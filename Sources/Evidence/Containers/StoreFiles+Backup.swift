import Base

extension StoreFiles {
  /// Whether a backup has them, which lists all files of a store: if it has no -wal, there was none. At an address in one
  /// of Finder's, or next to the manifest of one of ours. A file under the name that Finder's give belongs to none whose
  /// list can be read: it would be at its address.
  private var isInBackup: Bool {
    if let address = StoreAddress(path) {
      return DeviceBackup.isBackup(address.container)
        || (address.insides.map(\.path) + [address.path]).contains(where: DeviceBackup.beginsWithDomain)
    }
    return Self.isInOwnBackup(resolvedPath)
  }

  /// Whether the store uses a -wal and has none, which may have been left behind.
  package var isWALMissing: Bool { header.usesWAL && wal == nil && !isInBackup }

  /// What that may mean.
  package static let walMissing =
    "No -wal file next to the store, which is normal if the app closed it; if one was left behind, newer commits are missing."

  /// What to do about it. The -wal of another moment, put next to the store, would damage it:
  /// https://www.sqlite.org/howtocorrupt.html#_mispairing_database_files_and_hot_journals
  package static let walAdvice = "Copy the store and its -wal again, together, from where they came."

  /// Whether storescope made it as a backup.
  package static func isInOwnBackup(_ path: String) -> Bool {
    FileReader.kind(of: "\(PathText.split(path).folder ?? ".")/\(BackupFolder.manifestHash)") != nil
  }
}
