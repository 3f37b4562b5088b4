import SystemCalls
import Values

/// File names for completion.
package enum FolderListing {
  /// What lies in the folder, which may begin with `~/`; nothing where it can't be read.
  static func files(in folder: String) -> [CompletionContext.File] {
    let folder = expanded(folder.isEmpty ? "." : folder)
    guard let names = try? FileReader.names(in: folder) else { return [] }
    let all = Set(names)
    return names.compactMap { name in
      // What SQLite keeps beside a database is opened with it, never by its own name.
      if let owner = SideFiles.owner(of: name), all.contains(owner) { return nil }
      return CompletionContext.File(name, isFolder: FileReader.kind(of: "\(folder)/\(name)") == .folder)
    }
  }

  /// The path with the home folder for `~/`, which is for a shell to replace: a word that completion sees may still have it.
  package static func expanded(_ path: String) -> String {
    guard path == "~" || path.hasPrefix("~/"), let home = Platform.environment("HOME") else { return path }
    return home + path.dropFirst()
  }
}
