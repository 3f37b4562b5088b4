import Archives
import Diagnostics
import Explanations
import Lens
import Rendering
import Values

/// What several documents have.
enum SharedShapes {
  static let texts = Shape.list(.text)

  static let damage = FileCautions.field.key

  /// Of the mirror as a whole.
  static let verdict = Verdict.shape

  static let severity = Shape.words(Severity.self)

  static let finding = Finding.shape

  static let history = HistorySummary.shape

  static let pendingCounts = [PendingItem.Kind: Int].shape

  static let pendingKind = Shape.words(PendingItem.Kind.self)

  static let states = RecordState.allCases.map(\.rawValue)

  static let eventType = MirrorEvent.type

  static let file: [Shape.Key] = [
    .init("bytes", .integer, "its size"), .init("sha256", .hash, "its hash"),
  ]
}
