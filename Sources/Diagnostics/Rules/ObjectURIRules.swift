import Lens
import SQLite
import StoreModel
import Values

extension Rule {
  static let temporaryObjectID = Rule(
    """
    Rule: temporary-object-id
    Severity: error
    Title: Temporary object IDs stored as values
    Shows: The URI of an object that wasn't saved yet ('x-coredata:///Entity/t…'), in a text, a URI, JSON, a property
      list or a keyed archive: of an object, of history's tombstones, of the mirror, or of the metadata. Values that
      are compressed or encrypted can't be searched.
    Why: A temporary ID is valid only in the context that created it, and the first save replaces it. Later launches
      can't find its object: the reference is lost.
    Next launch: The object isn't found, and 'managedObjectID(forURIRepresentation:)' returns nil or an object without
      values.
    Remedy: In the app, call 'obtainPermanentIDs(for:)' before storing a URI, or better, use your own identifier, such
      as a UUID attribute. Replace the values found here.
    False positives: Strings that only mention such a URI, such as log entries. A tombstone is of a deleted object,
      but the code that wrote the value may still be there.
    Evidence: App authors report it; documented by Apple:
      https://developer.apple.com/documentation/coredata/nsmanagedobjectid/istemporaryid
    Message: {count} {value contains|values contain} a temporary object ID, such as {place}.
    """,
    .values { _ in ReferenceRule { $0.isPermanent ? nil : [] } })

  static let objectURIDangling = Rule(
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
    """,
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

extension Rule {
  static let objectURIForeign = Rule(
    """
    Rule: object-uri-foreign
    Severity: warning
    Title: Stored object URIs of another store
    Shows: A permanent object URI with another store's UUID, in a value of an object, of the mirror or of the
      metadata. Values that are compressed or encrypted can't be searched.
    Why: The UUID is created with the store's file: after a migration to a new file, after a re-import, or on another
      device it is different, and the URIs lead nowhere.
    Next launch: 'managedObjectID(forURIRepresentation:)' gives nil, unless the app opens that other store too.
    Remedy: If the app has no such store, clear the values, and use a relationship or your own identifier.
    False positives: An app with several stores may keep one store's URIs in another store on purpose.
    Evidence: App authors report it.
    Message: {count} {value contains|values contain} the URI of an object of another store, such as {place}.
    """,
    .values { examination in
      let uuid = examination.store.uuid
      guard !uuid.isEmpty else {
        throw StoreScopeError(.lacking, "The store has no UUID to recognize its own URIs by")
      }
      return ReferenceRule { reference in
        let other = reference.uri.storeUUID
        guard reference.keeper != .tombstone, reference.isPermanent, !other.isEmpty, !reference.isOf(uuid)
        else {
          return nil
        }
        return [.init("store", .text(other))]
      }
    })

  static let objectURIPersisted = Rule(
    """
    Rule: object-uri-persisted
    Severity: info
    Title: Object URIs synced to other devices
    Shows: A permanent object URI in a value of an object whose entity is mirrored to CloudKit. Values that are
      compressed or encrypted can't be searched.
    Why: Store UUIDs and keys differ on each device: on other devices the URI refers to a different object, or to
      none.
    Next launch: The value is uploaded as it is, and is meaningless on other devices.
    Remedy: Use a relationship, which the mirror translates, or your own identifier, such as a UUID attribute.
    Needs: mirror
    False positives: An app that reads these values only on the device that wrote them. Entities that aren't known to
      be mirrored are left out.
    Evidence: Inferred from the parts of a URI:
      https://developer.apple.com/documentation/coredata/nsmanagedobjectid/urirepresentation()
    Message: {count} {value contains|values contain} a URI of this device in a mirrored entity, such as {place}.
    """,
    .values { examination in
      guard let mirrored = try examination.mirror?.mirroredEntities() else {
        throw StoreScopeError(.lacking, "The store is not mirrored to CloudKit")
      }
      return ReferenceRule { reference in
        guard reference.keeper == .object, reference.isPermanent, let entity = reference.entity,
          mirrored.countsRows(of: entity)
        else { return nil }
        return []
      }
    })
}

/// A rule about single URIs: looks at each, and says what is to be added to the evidence where it is one to report.
final class ReferenceRule: ValueObserver {
  private let judge: (FoundReference) throws -> [DataValue.Member]?

  init(_ judge: @escaping (FoundReference) throws -> [DataValue.Member]?) { self.judge = judge }

  func visit(_ reference: FoundReference, _ findings: inout FindingCollector) throws {
    guard let members = try judge(reference) else { return }
    findings.add(
      object: reference.holder, subject: "\(reference.place) \(reference.text)",
      [
        "uri": .optional(reference.holder), "place": .text(reference.place),
        "reference": .text(reference.text),
      ], members: members)
  }
}

extension FoundReference {
  var isPermanent: Bool {
    guard case .permanent = uri.key else { return false }
    return true
  }

  /// Whether it names this store. The case of a UUID's letters means nothing.
  func isOf(_ storeUUID: String) -> Bool { uri.storeUUID.uppercased() == storeUUID.uppercased() }
}
