package import StoreModel
import Values

/// Watches every object URI go by that was found in a value, in the order of tables and rows.
package protocol ValueObserver: AnyObject {
  func visit(_ reference: FoundReference, _ findings: inout FindingCollector) throws
}

/// An object URI inside of a value.
package struct FoundReference {
  /// Who keeps the value.
  package enum Keeper: Sendable {
    /// An object of the app's.
    case object
    /// A row of the CloudKit mirror's.
    case mirror
    /// What history keeps of an object that was deleted.
    case tombstone
    /// The store's metadata, in which apps keep keys of their own.
    case metadata
  }

  package var keeper: Keeper
  /// The URI of the object that keeps it; nil where that is none, or a row of an unknown entity.
  package var holder: String?
  /// The number of the entity that keeps it; nil where a framework's table does.
  package var entity: Int64?
  /// Where in it: `Person.preferences.recent[0]`.
  package var place: String
  /// As it was found.
  package var text: String
  package var uri: ObjectURI
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
        .init("uri", .optional(reference.holder)), .init("place", .text(reference.place)),
        .init("reference", .text(reference.text)),
      ] + members)
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
