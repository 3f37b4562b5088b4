package import Base
package import Diagnostics
package import Lens
package import Reports
import SQLite
import StoreModel

/// All that is asked of one store among many, read in one pass over one opening. What must not be shown has placeholders
/// already.
package struct StoreExamination {
  package let open: OpenStore
  package let privacy: ReportPrivacy
  package let mirror: Mirror?
  package let diagnosis: Diagnosis
  package let conclusion: Conclusion
  /// Nil if the store isn't mirrored, or the mirror can't be judged.
  package let summary: MirrorSummary?
  /// Nil if it can't be counted.
  package let pending: PendingReader?
  package let verdict: Verdict
  /// Nil if the tables it needs can't be read.
  package let forecast: LaunchForecast?
  package let size: StoreSize?
  package let rows: [Int64: Int]?
  package let history: HistorySummary?

  /// Objects and pieces of evidence per finding, as `doctor` has them in JSON.
  private static let mostEvidence = 100
  /// More take long to be listed one by one; they are counted.
  static let mostListed = 100_000

  /// - Parameter marks: nil if values are shown.
  package init(_ open: OpenStore, marks: Marks?) throws {
    self.open = open
    let store = open.store
    // As the doctor alone does it: once SQLite has met a damaged page, it makes no views.
    let examination = try Examination(open)
    let mirror = examination.mirror
    self.mirror = mirror
    let zones = try Self.part { try mirror?.zones } ?? nil
    let shared = marks == nil ? nil : try Self.part { try SharedNames(store) }
    let privacy = ReportPrivacy(marks, of: store, zones: zones ?? [], sharedNames: shared)
    self.privacy = privacy
    let found = try Doctor(limit: Self.mostEvidence).examine(examination)
    var problem: String?
    var reader: PendingReader?
    var summary: MirrorSummary?
    do {
      reader = try mirror.map { try PendingReader($0, tracesCauses: $0.recordCount() <= Self.mostListed) }
      summary = try mirror.map { try MirrorSummary($0, counts: reader?.counts, problem: nil) }
      summary?.repeated = reader?.repeated ?? 0
    } catch let error as StoreScopeError {
      problem = error.description
      summary =
        try Self.part {
          try mirror.map { try MirrorSummary($0, counts: nil, problem: error.description) }
        } ?? nil
    } catch let error as SQLiteError where !error.isInterrupt && !error.isOutOfMemory {
      problem = Doctor.sentence(error)
    }
    pending = reader
    diagnosis = privacy.showsValues ? found : found.masked(privacy)
    let own = summary.map { privacy.showsValues ? $0 : $0.masked(privacy) }
    self.summary = own
    conclusion = Conclusion(
      diagnosis, own, problem: summary == nil ? problem.map(privacy.sentence) : nil, isWhole: true)
    verdict =
      try mirror == nil
      ? VerdictReader.verdict(nil, counts: [:])
      : own?.verdict ?? Verdict(.unknown, because: problem.map { [privacy.sentence($0)] } ?? [])
    forecast = try Self.part { try LaunchForecast(open) }
    size = try Self.part { try StoreSize(open) }
    rows = try Self.part { try store.rowCounts() }
    history = try Self.part { try HistorySummary(store, open.tables) } ?? nil
  }

  /// Nil if it can't be read: the doctor has found out why.
  package static func part<R>(_ body: () throws -> R) throws -> R? {
    do { return try body() } catch let error as SQLiteError where !error.isInterrupt && !error.isOutOfMemory {
      return nil
    } catch is StoreScopeError { return nil }
  }
}

/// Why a store is not among those that were read.
package struct StoreFailure: HasFields, Error, Sendable, Equatable {
  package enum Kind: String, FieldWord, Sendable {
    case notAStore, damaged, encrypted, unreadable, timedOut, crashed, outOfMemory, refused, failed
  }

  package var kind: Kind
  /// A sentence.
  package var message: String
  package var signal: Int32?
  package var exitCode: Int32?

  package init(_ kind: Kind, _ message: String, signal: Int32? = nil, exitCode: Int32? = nil) {
    self.kind = kind
    self.message = Sentence.ended(message)
    self.signal = signal
    self.exitCode = exitCode
  }

  /// Of a process that ended as if all were well.
  package static let incomplete = StoreFailure(.crashed, "Ended before all its rows were written")

  package static func outOfMemory(limit: Int64) -> StoreFailure {
    StoreFailure(.outOfMemory, "Needed more than \(Sentence.size(limit)) of memory")
  }

  /// What a reading command would have said.
  package init(_ error: any Error) {
    if let failure = error as? StoreFailure {
      self = failure
      return
    }
    let text = Sentence.begun("\(error)")
    guard let error = error as? StoreScopeError else {
      self.init(.failed, text)
      return
    }
    let kind: Kind =
      switch error.kind {
      case .foreign, .lacking: .notAStore
      case .damaged: .damaged
      case .notFound, .unreadable, .busy, .changed: .unreadable
      case .refused where text.contains("encrypted"): .encrypted
      case .refused, .limit, .invalid: .refused
      case .unwritable, .occupied, .failed: .failed
      }
    self.init(kind, ([text] + error.list).joined(separator: " "))
  }

  package static let fields: [Field<Self>] = [
    Field("failure", "why") { $0.kind }, Field("message", "the same in a sentence") { $0.message },
  ]

  /// Of all kinds, in words for a count: `3 timed out`.
  package static func words(_ kind: Kind) -> String {
    switch kind {
    case .notAStore: "not a store"
    case .damaged: "damaged"
    case .encrypted: "encrypted"
    case .unreadable: "unreadable"
    case .timedOut: "timed out"
    case .crashed: "crashed"
    case .outOfMemory: "out of memory"
    case .refused: "refused"
    case .failed: "failed"
    }
  }

  /// Of what a store's row or its failure has for it: `needs attention`, `timed out`.
  package static func words(of outcome: String) -> String {
    Health(rawValue: outcome)?.word.lowercased() ?? Kind(rawValue: outcome).map(words) ?? outcome
  }
}
