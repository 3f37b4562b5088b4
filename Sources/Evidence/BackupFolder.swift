import SystemCalls

/// Folders with a backup of a store, as everybody recognizes them without reading all of one. What `restore` replaced is a
/// backup too, if it was a whole store.
package enum BackupFolder {
  /// The file that lists what the backup holds.
  package static let manifest = "manifest.json"
  /// The manifest's own hash, in the form that `sha256sum -c` checks.
  package static let manifestHash = "manifest.sha256"

  package static func isOne(_ folder: String) -> Bool { Files.exists("\(folder)/\(manifest)") }

  /// The backups next to a store, the oldest first.
  package static func all(nextTo store: String) -> [String] {
    let parts = StoreParts(path: Platform.realPath(store) ?? store)
    return all(of: parts.name, in: parts.folder)
  }

  /// - Parameter store: its name.
  package static func all(of store: String, in folder: String) -> [String] {
    StampedName.copies(of: store, in: folder).map { "\(folder)/\($0)" }.filter(isOne)
  }
}
