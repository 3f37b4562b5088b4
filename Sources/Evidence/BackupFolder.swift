package import Base

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

/// Names that say of which store and from when something is: `App.store.20261121T064512Z.resync-pull.backup`.
package enum StampedName {
  /// A path in the folder that nothing has yet; a number distinguishes those of one second.
  /// - Parameter ending: what follows the time, without a full stop before it.
  package static func free(
    store: String, time: CoreDataDate, ending: String, in folder: String
  ) -> String {
    let stamp = (time.iso8601 ?? "").split(separator: ".")[0].filter { $0.isNumber || $0 == "T" }
    let name = "\(folder == "/" ? "" : folder)/\(store).\(stamp)Z"
    var path = "\(name).\(ending)"
    var number = 2
    while Files.exists(path) || Files.exists(incomplete(path)) {
      path = "\(name).\(number).\(ending)"
      number += 1
    }
    return path
  }

  /// What it is called until all is in it.
  package static func incomplete(_ path: String) -> String { path + incompleteEnding }

  private static let incompleteEnding = ".incomplete"

  /// How a folder with a copy of a store ends.
  package static let (backup, replaced) = ("backup", "replaced")

  /// What a killed run left of backups of a store, by their names in the folder.
  package static func incompleteBackups(of store: String, in folder: String) -> [String] {
    names(of: store, in: folder, ending: ".\(backup)\(incompleteEnding)")
  }

  /// Backups of a store, and folders with what a restore replaced, by their names in the folder, the oldest first.
  static func copies(of store: String, in folder: String) -> [String] {
    /// Its time, and the number that distinguishes those of one second.
    func order(_ name: String) -> (String, Int) {
      let parts = name.dropFirst(store.count + 1).split(separator: ".", maxSplits: 2)
      return (parts.first.map(String.init) ?? "", parts.dropFirst().first.flatMap { Int($0) } ?? 1)
    }
    return [backup, replaced].flatMap { names(of: store, in: folder, ending: ".\($0)") }
      .sorted { order($0) < order($1) }
  }

  private static func names(of store: String, in folder: String, ending: String) -> [String] {
    let names = (try? FileReader.names(in: folder, limit: .max)) ?? []
    return names.filter { isStamped($0, with: store) && $0.hasSuffix(ending) }
  }

  /// Whether a path, or a path in an archive, is that of a store in a backup, or among the files that a restore replaced.
  package static func isCopy(_ path: String) -> Bool {
    let (folder, name) = PathText.split(path)
    guard let folder = folder.map({ PathText.split($0).name }) else { return false }
    return isStamped(folder, with: name) && [backup, replaced].contains { folder.hasSuffix(".\($0)") }
  }

  /// Whether the name of a store and a time follow each other in a name. Else `App.store` would take what `App.store.old`
  /// has.
  private static func isStamped(_ name: String, with store: String) -> Bool {
    guard name.hasPrefix(store + ".") else { return false }
    return name.dropFirst(store.count + 1).prefix { $0.isASCII && ($0.isNumber || $0 == "T") }.count
      == "20261121T064512".count
  }
}
