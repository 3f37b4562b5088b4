import Base
import Evidence
import SQLite
import StoreModel

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

/// What lies in the place that a backup's store goes to.
package enum Occupant: Equatable {
  case nothing
  case store
  /// Something of the store's name that can't be read as a store; why, without a full stop.
  case other(String)
  /// Files that belong to a store of that name, without its main file.
  case leftovers([String])

  init(_ parts: StoreParts) {
    let path = parts.path(of: parts.name)
    let present = parts.present
    guard present.first == parts.name else {
      self = present.isEmpty ? .nothing : .leftovers(present)
      return
    }
    do {
      let files = try StoreFiles(path: path)
      self = Self.identifier(of: files) == nil ? .other("Core Data's metadata can't be found in it") : .store
    } catch {
      self = .other((error as? StoreScopeError)?.problem ?? "\(error)")
    }
  }

  /// The store's identifier, read through memory: a hot journal stays as it is.
  static func identifier(of files: StoreFiles) -> String? {
    guard let connection = try? Connection(path: files.resolvedPath, options: .overlay()) else { return nil }
    defer { connection.close() }
    return (try? StoreMetadata.read(from: connection)?.uuid).flatMap { $0 }
  }
}
