import SQLite
import StoreModel

/// Looks objects up by the entity's name and the key, as their URIs have them.
final class ObjectSearch {
  enum Answer {
    case exists, noObject, noEntity
    /// Of one of the framework's own entities.
    case framework
  }

  private let store: CoreDataStore
  private let frameworkNames: Set<String>
  /// By entity; nil where it has no table to look into.
  private var statements: [String: Statement?] = [:]

  init(_ store: CoreDataStore) {
    self.store = store
    frameworkNames = Set(store.primaryKeys.framework.map(\.name))
  }

  /// Whether there is such an object, of that entity or of one below it.
  func find(_ name: String, _ primaryKey: Int64) throws -> Answer {
    guard let entity = store.schema[name] else {
      return frameworkNames.contains(name) ? .framework : .noEntity
    }
    if statements[name] == nil { statements[name] = .some(try statement(for: entity)) }
    guard let statement = statements[name] ?? nil else { return .noObject }
    defer { statement.reset() }
    try statement.bind([.integer(primaryKey)])
    return try statement.step() ? .exists : .noObject
  }

  private func statement(for entity: SchemaEntity) throws -> Statement? {
    guard let target = LinkTarget(entity, in: store) else { return nil }
    return try store.connection.prepare(
      "SELECT 1 FROM main.\(quotedIdentifier(target.table)) d WHERE d.Z_PK = ? AND \(target.numbers.condition("d.Z_ENT"))"
    )
  }
}
