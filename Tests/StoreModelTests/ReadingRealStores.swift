import Foundation
import SQLite
import StoreModel
import TestSupport
import Testing

/// Stores that Apple's frameworks wrote. They lie beside the package, where they are at all.
enum RealStores {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "shared/stores")

  static let arePresent = FileManager.default.fileExists(atPath: folder.path)

  /// Paths below `folder`.
  static let names: [String] = {
    let projects = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return projects.sorted().flatMap { project in
      let path = folder.appending(path: project).path
      return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
        .filter { [".sqlite", ".db", ".storedata", ".graphdb"].contains(where: $0.hasSuffix) }
        .map { "\(project)/\($0)" }
    }
  }()

  static func model(_ name: String) -> String { folder.appending(path: name).path }

  /// Calls the body with a copy, as SQLite changes what it opens.
  static func withCopy<R>(of name: String, _ body: (Connection) throws -> R) throws -> R {
    let temporary = try TemporaryFolder()
    let original = folder.appending(path: name)
    let copy = temporary.path(original.lastPathComponent)
    for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: original.path + suffix) {
      try FileManager.default.copyItem(atPath: original.path + suffix, toPath: copy + suffix)
    }
    let connection = try Connection(path: copy, options: .readWrite())
    defer { connection.close() }
    return try withExtendedLifetime(temporary) { try body(connection) }
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
