import Base
import Lens
import SQLite
import StoreModel

extension Rule {
  static let temporaryObjectID = Rule(
    "temporary-object-id",
    .values { _ in ReferenceRule { $0.isPermanent ? nil : [] } })

  static let objectURIDangling = Rule(
    "object-uri-dangling",
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
    "object-uri-foreign",
    .values { examination in
      let uuid = examination.store.uuid
      guard !uuid.isEmpty else {
        throw StoreScopeError(.lacking, "The store has no UUID to recognize its own URIs by")
      }
      return ReferenceRule { reference in
        let other = reference.uri.storeUUID
        guard reference.keeper != .tombstone, reference.isPermanent, !other.isEmpty, !reference.isOf(uuid)
        else { return nil }
        return [.init("store", .text(other))]
      }
    })

  static let objectURIPersisted = Rule(
    "object-uri-persisted",
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
