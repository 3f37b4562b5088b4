import SystemCalls
import Values

/// Names that say of which store and from when something is: `App.store.20261121T064512Z.resync-pull.backup`.
package struct StampedName {
  let store: String
  let time: CoreDataDate
  /// What follows the time, without a full stop before it.
  let ending: String

  /// A path in the folder that nothing has yet; a number distinguishes those of one second.
  func free(in folder: String) -> String {
    let stamp = (time.iso8601 ?? "").split(separator: ".")[0].filter { $0.isNumber || $0 == "T" }
    let name = "\(folder == "/" ? "" : folder)/\(store).\(stamp)Z"
    var path = "\(name).\(ending)"
    var number = 2
    while Files.exists(path) || Files.exists(Self.incomplete(path)) {
      path = "\(name).\(number).\(ending)"
      number += 1
    }
    return path
  }

  /// What it is called until all is in it.
  static func incomplete(_ path: String) -> String { path + incompleteEnding }

  private static let incompleteEnding = ".incomplete"

  /// What a killed run left of backups of a store, by their names in the folder.
  static func incompleteBackups(of store: String, in folder: String) -> [String] {
    names(of: store, in: folder, ending: ".backup" + incompleteEnding)
  }

  /// Backups of a store, by their names in the folder, the oldest first.
  package static func backups(of store: String, in folder: String) -> [String] {
    names(of: store, in: folder, ending: ".backup").sorted()
  }

  private static func names(of store: String, in folder: String, ending: String) -> [String] {
    let names = (try? FileReader.names(in: folder, limit: .max)) ?? []
    return names.filter { name in
      guard name.hasPrefix(store + "."), name.hasSuffix(ending) else { return false }
      // Else `App.store` would take what `App.store.old` has.
      return name.dropFirst(store.count + 1).prefix { $0.isASCII && ($0.isNumber || $0 == "T") }.count
        == "20261121T064512".count
    }
  }
}
