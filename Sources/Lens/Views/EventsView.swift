package import Base
package import Explanations

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

extension MirrorViews {
  /// One row per run of the mirror.
  package var events: View? {
    guard tables.has(.events) else { return nil }
    func column(_ name: String) -> String { tables.sql(.events, name, "e") }
    func number(_ name: String) -> String { tables.number(.events, name, "e") }
    let kind = number("ZCLOUDKITEVENTTYPE")
    let ended = number("ZENDEDAT")
    let succeeded = tables.flag(.events, "ZSUCCEEDED", "e")
    let domain = column("ZERRORDOMAIN")
    let code = number("ZERRORCODE")
    let kinds = MirrorEvent.Kind.allCases.map { "WHEN \($0.rawValue) THEN '\($0.name)'" }.joined(
      separator: " ")
    func explained(_ member: String) -> String {
      "event_error('\(member)', \(ended), \(succeeded), \(domain), \(code))"
    }
    let keys = MirrorEvent.fields.keys()
    return View(
      "events", rows: "run of the mirror: a setup, an import or an export",
      [
        .init("id", of: keys, column("ZEVENTIDENTIFIER")),
        .init(
          "type", of: keys,
          "CASE \(kind) \(kinds) ELSE COALESCE('unknown (' || CAST(\(kind) AS INTEGER) || ')', 'unknown') END"
        ).open,
        .init("started", of: keys, number("ZSTARTEDAT")).open,
        .init("ended", of: keys, ended).open,
        .init("succeeded", of: keys, succeeded).open,
        .init("errorDomain", of: keys, domain).open,
        // The columns of a success may hold a default of 0.
        .init(
          "errorCode", of: keys, "CASE WHEN \(domain) IS NOT NULL OR \(code) <> 0 THEN \(code) END"
        ).open,
        .init("errorName", of: keys, explained("name")).open,
        .init("affected", of: keys, number("ZCOUNTAFFECTEDOBJECTS")).open,
        .init("finished", of: keys, number("ZCOUNTFINISHEDOBJECTS")).open,
        .init("explanation", of: keys, explained("meaning")).open,
        .init("isNoise", of: keys, explained("noise")).open,
        .init("row", .integer, "the key of the mirror's row, in the order of writing", "e.Z_PK").open,
        .init("kind", .integer, "the raw value of the type", kind, isShown: false),
      ], from: "main.ANSCKEVENT e")
  }
}
