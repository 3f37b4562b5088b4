package import Base

/// One pending change: a row of the view `pending`.
package struct PendingItem: HasFields, Sendable, Equatable {
  /// In the order in which they are listed. A new kind wants its words and its `deletion` here, its rows in
  /// `PendingView`, an explanation among the `Terms`, and the same kind in `MirrorForge+Truth`, by which random stores, in
  /// which it must occur, and `PendingReaderTests` check it. The rest goes through all kinds.
  package enum Kind: String, FieldWord, Sendable, BitwiseCopyable {
    case upload, cloudDelete, link, linkDelete, share, moveReceipt
    /// Saved after the last processed transaction; the record isn't flagged yet.
    case unanalyzed
    /// A row of a mirrored entity that has no record, and of which the history to come says nothing.
    case unregistered

    /// The key of its number where all are counted.
    package var plural: String {
      switch self {
      case .unanalyzed, .unregistered: rawValue
      default: rawValue + "s"
      }
    }

    /// What one and several of them are called in a sentence.
    package var words: (one: String, many: String) {
      switch self {
      case .upload: ("upload", "uploads")
      case .cloudDelete: ("deletion", "deletions")
      case .link: ("link", "links")
      case .linkDelete: ("removed link", "removed links")
      case .share: ("share", "shares")
      case .moveReceipt: ("move", "moves")
      case .unanalyzed: ("saved object not processed yet", "saved objects not processed yet")
      case .unregistered: ("row without a record", "rows without a record")
      }
    }

    /// The rows of a view that say that something is still to be deleted on the server; nil for kinds that delete
    /// nothing. Who drops such a row undoes the deletion.
    package var deletion: (view: String, condition: String)? {
      switch self {
      case .cloudDelete: ("records", "state = '\(RecordState.pendingCloudDelete.rawValue)'")
      case .linkDelete: ("links", "needsDelete AND NOT COALESCE(isUploaded, 0)")
      case .share: ("shares", "needsShareDelete")
      case .moveReceipt: ("moveReceipts", "needsCloudDelete")
      case .upload, .link, .unanalyzed, .unregistered: nil
      }
    }

    /// Whether a record's flags say it. `PendingPass` counts these on its way.
    var isRecord: Bool { self == .upload || self == .cloudDelete }

    /// Whether a row of the mirror says it.
    var hasRow: Bool { self != .unanalyzed && self != .unregistered }
  }

  package var kind: Kind
  package var entity: String?
  package var primaryKey: Int64?
  package var uri: String?
  package var recordName: String?
  package var zone: String?
  /// The transaction that caused it; nil where history doesn't have it, or nothing in history caused it.
  package var transaction: Int64?
  /// Of that transaction.
  package var author: String?
  /// The newest save of the object since then by an author who is asked for.
  package var laterSave: HistoryTransaction?
  package var since: CoreDataDate?
  /// One sentence.
  package var reason: String
  /// The same without names of zones and records, for those who must not see them.
  package var reasonWithoutNames: String
  /// The object was deleted here.
  package var isDeletion = false
  /// History has the object's insertion as well, which an exporter that starts over may add up to nothing.
  package var maySkip = false
  /// An earlier export processed it, and the server answered: only without a token does the next one find it again.
  package var isRepeated = false
  /// History was purged that may show an earlier cause: `since` and `author` are those of the first one left, if any.
  package var mayBeOlder = false

  /// What `pending`, reports and the view `pending` have of it. `masked` replaces what a page without values must
  /// not show.
  package static let fields: [Field<Self>] = [
    Field("kind", Kind.allCases.map(\.rawValue).joined(separator: ", ")) { $0.kind },
    Field("entity", "the object's entity") { $0.entity },
    Field("pk", "the object's primary key") { $0.primaryKey },
    Field("uri", .uri, "the object's URI") { $0.uri },
    Field("recordName", "the record's name") { $0.recordName },
    Field("transaction", "the transaction that caused it, if history has it") { $0.transaction },
    Field("author", "who saved that") { $0.author },
    Field("since", "when") { $0.since },
    Field("reason", "why it's pending, in one sentence") { $0.reason },
    Field("zone", "the zone's name") { $0.zone },
  ]

  /// Why an object is listed that another author saved first.
  package static let laterFields: [Field<Self>] = [
    Field("laterTransaction", "a later save of the object") { $0.laterSave?.number },
    Field("laterAuthor", "the author of that save") { $0.laterSave?.author },
  ].given("an author is asked for")
}

/// How much isn't sent yet. No object is counted twice: what is flagged in its record is an upload or a delete even where
/// the app changed it again since, and a row that was just saved is unanalyzed, not unregistered.
extension [PendingItem.Kind: Int] {
  package var total: Int { values.reduce(0, +) }

  /// What the next export sends. Rows without a record are only found where it scans for them.
  package func sent(scanning: Bool) -> Int { scanning ? total : total - self[.unregistered, default: 0] }

  package static var fields: [Field<Self>] {
    PendingItem.Kind.allCases.map { kind in
      Field(kind.plural, "how many of the kind \(kind.rawValue)") { $0[kind, default: 0] }
    }
  }

  package static var shape: Shape { .named("pendingCounts", fields.keys()) }

  package var value: DataValue { Self.fields.object(of: self) }
}
