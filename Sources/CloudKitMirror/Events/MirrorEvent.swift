package import Explanations
package import Values

/// One run of the mirror: https://developer.apple.com/documentation/coredata/nspersistentcloudkitcontainer/event
package struct MirrorEvent: Sendable, Equatable {
  /// Raw values are those of `NSPersistentCloudKitContainer.EventType`.
  package enum Kind: Int64, Sendable, CaseIterable {
    case setup, `import`, export

    package var name: String {
      switch self {
      case .setup: "setup"
      case .import: "import"
      case .export: "export"
      }
    }
  }

  package var primaryKey: Int64
  /// The event's identifier in capitals; nil where it is NULL or no UUID.
  package var id: String?
  /// Nil for a number that no framework is known to write; `rawKind` has it.
  package var kind: Kind?
  package var rawKind: Int64?
  package var started: CoreDataDate?
  /// Nil while it runs, and for ever where the process died.
  package var ended: CoreDataDate?
  package var succeeded: Bool
  package var errorDomain: String?
  package var errorCode: Int64?
  package var explanation: Explanation?
  package var affected: Int64?
  package var finished: Int64?

  package var typeName: String { kind?.name ?? rawKind.map { "unknown (\($0))" } ?? "unknown" }

  /// The error's public name.
  package var errorName: String? {
    explanation.flatMap { $0.name == Explanation.unnamed ? nil : $0.name }
  }

  package var hasFailed: Bool { ended != nil && !succeeded }

  /// A failure that means nothing as long as later events succeed.
  package var isNoise: Bool { hasFailed && explanation?.isNoise == true }

  /// What the error is about; nil for a run that didn't fail, too.
  package var concern: Explanation.Concern? { hasFailed ? explanation?.concern : nil }

  /// Whether the error is one that goes away without anyone doing anything.
  package var resolvesItself: Bool {
    if case .yes? = explanation?.resolvesItself { true } else { false }
  }

  /// `CKErrorDomain 25 (quotaExceeded)`
  package var errorText: String? {
    guard let errorCode else { return nil }
    let text = "\(errorDomain ?? "error") \(errorCode)"
    return errorName.map { "\(text) (\($0))" } ?? text
  }

  /// When it happened, for an order in time.
  package var moment: CoreDataDate? { started ?? ended }
}
