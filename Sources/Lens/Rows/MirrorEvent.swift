package import Explanations
package import Values

/// One run of the mirror: https://developer.apple.com/documentation/coredata/nspersistentcloudkitcontainer/event
package struct MirrorEvent: HasFields, Sendable, Equatable {
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
  /// Nil while it runs, and forever if the process died.
  package var ended: CoreDataDate?
  package var succeeded: Bool
  package var errorDomain: String?
  package var errorCode: Int64?
  package var explanation: Explanation?
  package var affected: Int64?
  package var finished: Int64?

  /// - Parameter errorCode: the columns of a success may hold a default of 0, which is no code.
  init(
    primaryKey: Int64 = 0, id: String? = nil, rawKind: Int64? = nil, started: CoreDataDate? = nil,
    ended: CoreDataDate?, succeeded: Bool, errorDomain: String?, errorCode: Int64?, affected: Int64? = nil,
    finished: Int64? = nil
  ) {
    self.primaryKey = primaryKey
    self.id = id
    kind = rawKind.flatMap(Kind.init(rawValue:))
    self.rawKind = rawKind
    self.started = started
    self.ended = ended
    self.succeeded = succeeded
    self.errorDomain = errorDomain
    self.errorCode = errorDomain == nil && errorCode == 0 ? nil : errorCode
    explanation = errorDomain.flatMap { domain in
      errorCode.flatMap { Int(exactly: $0) }.flatMap {
        ExplanationCatalog.explanation(domain: domain, code: $0)
      }
    }
    self.affected = affected
    self.finished = finished
  }

  package static let type = Shape.known(Kind.allCases.map(\.name))

  package static let fields: [Field<Self>] = [
    Field("id", .uuid, "its identifier") { $0.id },
    Field("type", type, "setup, import or export") { $0.typeName },
    Field("started", "when it began") { $0.started },
    Field("ended", "when it ended; null while it runs, and if its process died") { $0.ended },
    Field("succeeded", "it ended well") { $0.succeeded },
    Field("errorDomain", "the domain of its error") { $0.errorDomain },
    Field("errorCode", "the error's code") { $0.errorCode },
    Field("errorName", "the error's public name") { $0.errorName },
    Field("affected", "how many objects it was about") { $0.affected },
    Field("finished", "how many of them it finished") { $0.finished },
    Field("explanation", "what the error means") { $0.meaning },
    Field("isNoise", "a failure that is harmless if later runs succeed") { $0.isNoise },
  ]

  package var typeName: String { kind?.name ?? rawKind.map { "unknown (\($0))" } ?? "unknown" }

  /// The error's public name.
  package var errorName: String? {
    explanation.flatMap { $0.name == Explanation.unnamed ? nil : $0.name }
  }

  /// What its error means; nil for a run that didn't fail.
  package var meaning: String? { hasFailed ? explanation?.meaning : nil }

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
