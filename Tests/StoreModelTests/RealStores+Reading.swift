import SQLite
import StoreModel
import TestSupport
import Testing

extension RealStores {
  static func model(_ name: String) -> String { "\(folder)/\(name)" }

  /// Calls the body with a connection to a copy.
  static func withCopy<R>(of name: String, _ body: (Connection) throws -> R) throws -> R {
    let copy = try copy(name)
    let connection = try Connection(path: copy.path, options: .readWrite())
    defer { connection.close() }
    return try withExtendedLifetime(copy.folder) { try body(connection) }
  }

  static func metadata(of name: String) throws -> StoreMetadata {
    try withCopy(of: name) { try #require(try StoreMetadata.read(from: $0)) }
  }

  /// The model in the store's cache.
  static func cachedModel(of name: String) throws -> ManagedObjectModel {
    let cache = try withCopy(of: name) { try ModelCache.read(from: $0) }
    guard case .decoded(let decoded) = cache else {
      Issue.record("\(name) has no readable cache: \(cache)")
      return ManagedObjectModel(entities: [])
    }
    return decoded.model
  }
}
