import SQLite
import StoreModel
import Values

extension Rule {
  static let objectURIDangling = Rule(
    about,
    .values { examination in
      let store = examination.store
      guard !store.uuid.isEmpty else {
        throw StoreScopeError(.lacking, "The store has no UUID to recognize its own URIs by")
      }
      let objects = ObjectSearch(store)
      return ReferenceRule { reference in
        guard reference.keeper != .tombstone, case .permanent(let key) = reference.uri.key,
          reference.isOf(store.uuid)
        else { return nil }
        switch try objects.find(reference.uri.entity, key) {
        case .exists, .framework: return nil
        case .noObject: return [.init("because", "There is no such object.")]
        case .noEntity: return [.init("because", "There is no such entity.")]
        }
      }
    })
}

/// Looks objects up by the entity's name and the key, as their URIs have them.
private final class ObjectSearch {
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

private let about = RuleHeader(
  """
  Rule: object-uri-dangling
  Severity: warning
  Title: Stored URIs of objects that don't exist
  Shows: A permanent URI of an object of this store, in a value of an object, of the mirror or of the metadata, if
    the object or its entity doesn't exist. Values that are compressed or encrypted can't be searched.
  Why: A URI in a value isn't a relationship: it isn't cleared when the object is deleted, and its key may be
    assigned again when rows are restored.
  Next launch: 'existingObject(with:)' fails with 133000 for it; 'object(with:)' returns an object that can't be
    fulfilled.
  Remedy: Clear the values in the app. To find objects again, use a relationship or your own identifier.
  False positives: Logs and lists of recently used objects may keep URIs of deleted objects on purpose. History's
    tombstones are left out, because they are about deleted objects.
  Evidence: App authors report it.
  Message: {count} {value contains|values contain} the URI of an object that doesn't exist, such as {place}.
  """)
