package import Base

/// All that belongs to a store on disk, as paths relative to its folder.
package struct StoreParts {
  package let folder: String
  package let name: String

  /// - Parameter path: the store's, absolute and without links.
  package init(path: String) {
    let (before, name) = PathText.split(path)
    folder = before.map { $0.isEmpty ? "/" : $0 } ?? "."
    self.name = name
  }

  package func path(of part: String) -> String { folder == "/" ? "/" + part : "\(folder)/\(part)" }

  /// The store's file first, then SQLite's files next to it, then every file in the folders that Core Data and the
  /// mirror keep for it.
  /// - Throws: `StoreScopeError` if a folder can't be read.
  package func all() throws -> [String] { try contents().files }

  /// The same, and the links in those folders, which lead to what isn't the store's: they are never followed.
  package func contents() throws -> (files: [String], links: [String]) {
    let place = try OpenFolder(folder, following: true)
    var found = (files: [name], links: [String]())
    for suffix in SideFiles.suffixes where try place.kind(of: name + suffix) != nil {
      found.files.append(name + suffix)
    }
    let store = try place.identity(of: name)
    for folder in folders { try collect(folder, in: place, store, depth: 0, into: &found) }
    return found
  }

  /// A sentence about links that weren't followed: whoever made them could have led us to any file. Nil if there are none.
  /// - Parameter copy: what lacks their targets, such as `the backup`.
  package func note(onLinks links: [String], missingIn copy: String) -> String? {
    guard let first = links.first else { return nil }
    return links.count == 1
      ? "'\(path(of: first))' is a link, which isn't followed: its target isn't in \(copy)."
      : "'\(path(of: first))' and \(Sentence.count(links.count - 1, "other")) are links, which aren't followed: their targets aren't in \(copy)."
  }

  /// Bytes of the files in the store's folders: of external values, and of assets that are still to be uploaded.
  /// - Throws: `StoreScopeError` if a folder can't be read.
  package func folderSizes() throws -> (external: Int64, assets: Int64) {
    var sizes: (external: Int64, assets: Int64) = (0, 0)
    for file in try all() where file.contains("/") {
      let size = FileStatus(ofLink: path(of: file))?.size ?? 0
      let isExternal = file.hasPrefix(SideFiles.supportFolder(of: name) + "/")
      let sum = (isExternal ? sizes.external : sizes.assets).addingReportingOverflow(size)
      let bytes = sum.overflow ? .max : sum.partialValue
      if isExternal { sizes.external = bytes } else { sizes.assets = bytes }
    }
    return sizes
  }

  /// The first link in the store's folders, however deep.
  package func link(in place: OpenFolder) throws -> String? {
    func search(_ part: String) throws -> String? {
      switch try place.kind(of: part) {
      case .link: return part
      case .folder:
        for name in try place.names(in: part) {
          if let link = try search("\(part)/\(name)") { return link }
        }
      default: break
      }
      return nil
    }
    for folder in folders { if let link = try search(folder) { return link } }
    return nil
  }

  /// Everything at the top of the folder that belongs to the store, there or not; the store's file first.
  package var own: [String] { files + folders }

  private var files: [String] { ([""] + SideFiles.suffixes).map { name + $0 } }

  /// Whether a file of that path, relative to the store's folder, belongs to the store.
  package func owns(_ part: String) -> Bool {
    files.contains(part)
      || folders.contains { PathText.rest(of: part, behind: $0 + "/").map { !$0.isEmpty } ?? false }
  }

  /// The part of the store that a file in a container is, as the store's own name has it; nil if it is none. Containers may
  /// have the same name in another of Unicode's forms; they are equal as text, and SQLite looks for bytes.
  package func part(inContainer path: String) -> String? {
    if let file = files.first(where: { $0 == path }) { return file }
    guard let (folder, rest) = PathText.first(path), !rest.isEmpty else { return nil }
    return folders.first { $0 == folder }.map { "\($0)/\(rest)" }
  }

  /// `.App_SUPPORT` has external values, `App_ckAssets` what is still to be uploaded as an asset.
  package var folders: [String] {
    let all = foldersByRole
    return all[1] == all[2] ? Array(all.dropLast()) : all
  }

  /// The same folder in the same place for every store, so that a name without an extension has one twice.
  private var foldersByRole: [String] {
    [SideFiles.supportFolder(of: name), "\(SideFiles.stem(of: name))_ckAssets", "\(name)_ckAssets"]
  }

  /// What is there of it.
  /// - Throws: `StoreScopeError` if it can't be determined for a name.
  package func present(in place: OpenFolder) throws -> [String] {
    try own.filter { try place.kind(of: $0) != nil }
  }

  /// The same; nothing if the folder can't be looked into.
  package var present: [String] { own.filter { Files.exists(path(of: $0)) } }

  /// Another store in the folder to which one of the store's folders belongs as well, as they go by the name without its
  /// extension: `App.store` and `App.sqlite` share `.App_SUPPORT`.
  package func otherOwner(of folders: [String]) -> String? {
    let names = (try? FileReader.names(in: folder, limit: .max)) ?? []
    return names.first { other in
      guard other != name, !Set(StoreParts(path: path(of: other)).folders).isDisjoint(with: folders),
        FileReader.kind(of: path(of: other)) == .file,
        FileIdentity(following: path(of: other)) != FileIdentity(following: path(of: name))
      else { return false }
      return StoreHeader.isDatabase(path(of: other))
    }
  }

  /// The same part of a store of another name: `App.store-wal` becomes `Copy.store-wal`, `.App_SUPPORT` `.Copy_SUPPORT`.
  package func renamed(_ part: String, as other: StoreParts) -> String {
    for (old, new) in zip(files, other.files) where part == old { return new }
    for (old, new) in zip(foldersByRole, other.foldersByRole) where part.hasPrefix(old + "/") {
      return new + part.dropFirst(old.count)
    }
    return part
  }

  private static let depthLimit = 8

  private func collect(
    _ part: String, in place: OpenFolder, _ store: FileIdentity?, depth: Int,
    into found: inout (files: [String], links: [String])
  ) throws {
    switch try place.kind(of: part) {
    case .folder:
      guard depth <= Self.depthLimit else {
        throw StoreScopeError(
          .limit, path(of: part), "is nested too deeply to be backed up", advice: "check what is in it")
      }
      for name in try place.names(in: part) {
        try collect("\(part)/\(name)", in: place, store, depth: depth + 1, into: &found)
      }
    case .file where depth > 0:
      guard try place.identity(of: part) != store else {
        throw StoreScopeError(
          .refused, path(of: part),
          "is the store's own file under another name, which must not be opened while the store is locked",
          advice: "remove it")
      }
      found.files.append(part)
    case .link: found.links.append(part)
    default: break
    }
  }
}
