import Containers
import SystemCalls
import Values

/// Where an assistant may look.
struct AssistantFolders: Sendable {
  /// Real paths; empty for no limit.
  private let folders: [String]

  init(_ named: [String]) throws {
    folders = try named.map { name in
      guard FileReader.kind(of: name) == .folder, let path = Platform.realPath(name) else {
        throw StoreScopeError.unreadable(name, "there is no such folder", kind: .notFound)
      }
      return path
    }
  }

  /// What is searched if an assistant names no place; empty for the usual places.
  var places: [String] { folders }

  /// - Throws: `StoreScopeError` if what was named isn't in a folder that may be looked into.
  func path(_ named: String) throws -> String {
    let path = Self.home.map { named.hasPrefix("~/") ? $0 + named.dropFirst() : named } ?? named
    guard !folders.isEmpty else { return path }
    let file = StoreSource.file(of: path)
    // SQLite reads what is next to a store as part of it.
    let others = SideFiles.suffixes.map { file + $0 }.filter { FileStatus(ofLink: $0) != nil }
    if FileStatus(ofLink: file) == nil, isInside(PathText.split(file).folder ?? ".") {
      throw StoreScopeError.unreadable(named, "there is no such file", kind: .notFound)
    }
    guard ([file] + others).allSatisfy(isInside) else {
      throw StoreScopeError(
        .refused, named, "isn't in a folder that this server may look into",
        advice: "these are: \(folders.joined(separator: ", "))")
    }
    return path
  }

  private func isInside(_ path: String) -> Bool {
    guard let real = Platform.realPath(path) else { return false }
    return folders.contains { real == $0 || real.hasPrefix($0 == "/" ? "/" : $0 + "/") }
  }

  /// The user's own, which `~` stands for.
  static var home: String? {
    let home = Platform.withoutLastSlashes(Platform.homeFolder)
    return home.utf8.count > 1 ? home : nil
  }
}
