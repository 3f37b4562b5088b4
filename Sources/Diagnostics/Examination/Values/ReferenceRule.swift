import StoreModel
import Values

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
