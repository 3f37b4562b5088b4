import Evidence
import SQLite
import StoreModel
import Values

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
