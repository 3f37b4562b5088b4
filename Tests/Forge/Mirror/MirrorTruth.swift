package import Values

/// What a forged mirror says, known from how it came about and not read from the store.
package struct MirrorTruth: Sendable {
  package enum RecordState: String, Sendable, CaseIterable {
    case uploaded, pendingUpload, pendingCloudDelete, deleteLeftover, neverAcknowledged, orphan
  }

  package struct Record: Sendable {
    /// Of the entity `?` where the row names none, with the key -1 where it has none.
    package var object: ForgedObject
    package var name: String
    package var zone: String
    package var type: String
    package var state: RecordState
    package var needsUpload: Bool
    package var needsCloudDelete: Bool
    package var isAcknowledged: Bool
    package var lastExported: Int64?
    package var pendingExport: Int64?
    package var objectExists: Bool
  }

  /// One pending change.
  package struct Waiting: Sendable, Hashable {
    package var kind: Kind
    /// The object that waits; of a link the one at its first end, where that has a record.
    package var object: ForgedObject?
    package var recordName: String?
    package var zone: String?
    /// Of an object: the deletion that waits, or the first change of the app's that does, where history still has it.
    package var transaction: Int64?
  }

  package enum TokenState: String, Sendable, CaseIterable {
    case current, behind, ahead, expired, foreign, missing, unreadable
  }

  package struct Zone: Sendable, Equatable {
    package var name: String
    package var owner: String
    package var scope: MirrorForge.Scope
    package var records: Int
    package var flags: Set<String>
    package var hasToken: Bool
    package var hasShare: Bool
    package var lastFetch: CoreDataDate?
  }

  package struct Event: Sendable, Equatable {
    package var kind: MirrorForge.EventKind
    package var identifier: String
    package var started: CoreDataDate
    package var ended: CoreDataDate?
    package var succeeded: Bool
    package var failure: MirrorFailure?
    package var affected: Int64
    package var finished: Int64
  }

  package enum Verdict: String, Sendable, CaseIterable {
    case idle, waiting, blocked, neverSetUp, unknown
  }

  package var records: [Record]
  package var waiting: [Waiting]
  package var token: TokenState
  /// The number in the token; nil where it has none for this store.
  package var tokenTransaction: Int64?
  package var zones: [Zone]
  package var events: [Event]
  package var verdict: Verdict

  package func count(_ kind: Kind) -> Int { waiting.count { $0.kind == kind } }
}
