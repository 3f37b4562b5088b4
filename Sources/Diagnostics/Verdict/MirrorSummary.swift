package import Base
package import Lens

/// The mirror in a few numbers.
package struct MirrorSummary: Sendable, Equatable {
  package var layout: MirrorLayout
  package var scope: DatabaseScope?
  package var zones: Int
  package var records: Int
  /// All pending changes, of whatever kind; nil if they can't be counted.
  package var pending: Int?
  /// Since when the oldest of them is pending, if that is known.
  package var oldest: CoreDataDate?
  /// Whether history was purged that may show an older one.
  package var mayBeOlder = false
  /// Of the pending changes those that an earlier export processed, and that the server probably has.
  package var repeated = 0
  /// Why what is pending can't be counted, a sentence.
  package var problem: String?
  package var verdict: Verdict
  /// Whether some of what is pending may be on the server already: without a token all of history is uploaded again, and
  /// a push flags what was uploaded before. Objects whose records were deleted were uploaded, too.
  package var repeatsUploads = false

  /// Counts pending changes. If the primary keys make that impossible, the rest is reported anyway.
  package init(_ mirror: Mirror) throws {
    var reader: PendingReader?
    var problem: String?
    do {
      // Of many records less history is read: their dates may not be asked for.
      reader = try PendingReader(mirror, tracesCauses: mirror.recordCount() <= Self.mostDated)
    } catch let error as StoreScopeError {
      problem = error.description
    }
    try self.init(mirror, counts: reader?.counts, problem: problem)
    repeated = reader?.repeated ?? 0
    // Their dates take as long as listing them.
    if let reader, let pending, 1...Self.mostDated ~= pending {
      oldest = try reader.oldest()?.since
      mayBeOlder = try reader.mayBeOlder()
    }
  }

  /// For those who have counted what is pending already.
  /// - Parameter problem: why it can't be counted.
  package init(_ mirror: Mirror, counts: [PendingItem.Kind: Int]?, problem: String?) throws {
    self.problem = problem
    verdict =
      if let counts {
        try VerdictReader.verdict(mirror, counts: counts)
      } else {
        try VerdictReader.verdict(mirror, uncounted: problem ?? "")
      }
    layout = mirror.layout
    scope = try mirror.scope
    zones = try mirror.zones.count
    records = try mirror.recordCount()
    pending = counts?.total
    let isCounted = counts != nil
    let counts = counts ?? [:]
    repeatsUploads =
      try (mirror.token.startsOver && counts[.unanalyzed, default: 0] > 0)
      || (isCounted && !mirror.lostRecords().isEmpty)
    if !repeatsUploads, counts[.upload, default: 0] > 0, records <= Self.mostDated {
      repeatsUploads = try mirror.flagsAgain()
    }
  }

  private static let mostDated = 100_000

  /// Nil for a store without a mirror.
  package static let fields: [Field<Self?>] = [
    Field("present", "whether the store is mirrored to CloudKit") { $0 != nil },
    Field("layout", "the layout of the mirror's tables") { $0?.layout },
    Field("scope", "the database that it is mirrored to") { $0?.scope },
    Field("zones", "record zones") { $0?.zones }, Field("records", "records") { $0?.records },
    Field("pending", "pending changes; null if they can't be counted") { $0?.pending },
    Field("pendingProblem", "why they can't be counted") { $0?.problem },
    Field("verdict", "the state of sync") { $0?.verdict.state ?? .notMirrored },
  ]
}
