package import Base
import Lens

/// What is known of one object: the answer first, then its story.
package struct ObjectTrace: Sendable {
  /// `Entry/p9`
  package var name: String
  /// What people recognize it by; of a deleted object what history kept of that.
  package var title: String?
  /// `as of 2 commits ago`; nil for the newest state.
  package var asOf: String?
  /// Whether there is a row; nil if its table has no keys.
  package var exists: Bool?
  package var lastValues: LastValues
  /// The transaction that deleted it, if history has it.
  package var deletedIn: Int64?
  /// Whether anything shows that there is, or ever was, such an object.
  package var isKnown: Bool
  package var verdict: ObjectVerdict
  package var comparison: ServerComparison
  package var referrers: [Referrer]
  /// Empty if they weren't asked for.
  package var steps: [TraceStep]

  /// `Entry/p9 "Tram 28"`
  package var titledName: String {
    name + (title.map { " \"\($0)\"" } ?? "") + (asOf.map { " \($0)" } ?? "")
  }

  /// `Entry/p9 "Tram 28": not on the server, blocked.`
  package var answer: String { "\(titledName): \(verdict.answer)." }
}

/// The values of a deleted object that history or the copies of its records kept.
package struct LastValues: Sendable {
  package var members: [DataValue.Member] = []
  /// Whether any of them is from history, which has the attributes that the model preserves.
  package var hasHistory = false
  /// Whether any of them is from a record's copy.
  package var hasCopy = false
  /// When the server last changed that record.
  package var modified: CoreDataDate?
}

/// Where one object stands between this store and the server.
package struct ObjectVerdict: HasFields, Sendable, Equatable {
  package enum State: String, FieldWord, Sendable {
    /// The server has it, and nothing of it is pending.
    case onServer
    /// Something of it is pending, and nothing is known to stand in its way but time.
    case waiting
    /// Something of it is pending, and something must happen first: of the app, of the user, or of the server.
    case blocked
    /// There is no such object anymore, and nothing of it is pending.
    case deletedHere
    /// Its entity isn't mirrored.
    case localOnly
    /// The store has no mirror.
    case notMirrored
    /// The store doesn't record it; the reasons say what is missing.
    case unknown
  }

  package var state: State
  /// When the oldest pending thing of it began; of a deleted object, when it was deleted.
  package var since: CoreDataDate?
  /// Sentences, the weightiest first.
  package var reasons: [String]
  /// What to do, in sentences; nil if there is nothing to do, which the last reason says.
  package var fix: String?
  /// A clause that begins the answer, after the object's name: `not on the server, blocked`.
  package var answer: String

  package init(
    _ state: State, _ answer: String, since: CoreDataDate? = nil, reasons: [String], fix: String? = nil
  ) {
    self.state = state
    self.since = since
    self.reasons = reasons
    self.answer = answer
    self.fix = fix
  }

  package static let fields: [Field<Self>] = [
    Field("state", "the state of the object") { $0.state }, Field("since", "since when") { $0.since },
    Field("reasons", "why, one sentence each") { $0.reasons },
    Field("fix", "what to do; null if there is nothing to do, or no fix is known") { $0.fix },
  ]
}

/// One step in the story of an object.
package struct TraceStep: Sendable, Equatable {
  package enum Kind: String, FieldWord, Sendable {
    /// A change in persistent history.
    case change
    /// A run of the mirror that carried a change, or should have.
    case event
    /// The object's record as it stands now.
    case record
    /// What is pending of it now.
    case pending
  }

  /// Nil for what stands now.
  package var at: CoreDataDate?
  package var kind: Kind
  /// One sentence.
  package var text: String
  /// What else is known, by kind.
  package var details: [DataValue.Member]

  /// A step without a time.
  static func now(_ kind: Kind, _ text: String, _ details: [DataValue.Member] = []) -> TraceStep {
    TraceStep(at: nil, kind: kind, text: text, details: details)
  }

  /// A failure that means nothing as long as later runs succeed: not worth a line to people.
  package var isNoise: Bool { details.contains { $0.name == "isNoise" && $0.value == true } }

  private static let fields: [Field<Self>] = [
    Field("at", "when; null for what is so now") { $0.at }, Field("kind", "what it is about") { $0.kind },
    Field("text", "what happened, in a sentence") { $0.text },
  ]

  package var value: DataValue { .object(Self.fields.members(of: self) + details) }

  /// By kind: one without a time may have no more than a text.
  package static let shape = Shape.either(
    Kind.allCases.map { kind in
      let details: [Shape.Key] =
        switch kind {
        case .change: TracedChanges.keys
        case .event: TracedEvents.fields.keys()
        case .record: MirrorRecord.fields.keys()
        case .pending: pendingFields.keys()
        }
      return .object(
        fields.keys().map { $0.name == "kind" ? $0.being(.words([kind.rawValue])) : $0 }
          + details.map { $0.only("it is known") })
    })

  static let pendingFields: [Field<PendingItem>] = Field.list(
    [Field("pending", "the kind of the pending change") { $0.kind }],
    PendingItem.fields.only(["transaction", "author", "since", "recordName", "zone"]))
}
