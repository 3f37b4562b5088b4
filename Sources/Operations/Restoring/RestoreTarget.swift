import SystemCalls
import Values

/// The place of a store that may not be there yet.
enum RestoreTarget {
  /// The path without links, `.` and `..`: SQLite's and Core Data's files lie next to the file that a link leads to.
  /// - Throws: `StoreScopeError` where it names a folder, or leads nowhere.
  static func resolve(_ path: String) throws -> String {
    guard !path.hasSuffix("/"), !path.isEmpty, FileReader.kind(of: path) != .folder else {
      throw StoreScopeError(
        .foreign, path, "is a folder", advice: "pass the store's file in it", outcome: .unchanged)
    }
    return try resolveAny(Platform.absolutePath(path))
  }

  private static func resolveAny(_ path: String) throws -> String {
    if let resolved = Platform.realPath(path) { return resolved }
    guard Platform.lastFailure == .missing, !Files.exists(path), let slash = path.lastIndex(of: "/") else {
      throw StoreScopeError(
        .notFound, path, "isn't a valid path for a store", advice: "choose another path", outcome: .unchanged)
    }
    let name = path[path.index(after: slash)...]
    guard name != ".." else {
      throw StoreScopeError(
        .notFound, path, "is a path through a folder that doesn't exist",
        advice: "choose another path", outcome: .unchanged)
    }
    let parent = slash == path.startIndex ? "/" : try resolveAny(String(path[..<slash]))
    if name.isEmpty || name == "." { return parent }
    return parent == "/" ? "/\(name)" : "\(parent)/\(name)"
  }
}
