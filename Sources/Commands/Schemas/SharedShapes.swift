import Archives
import Diagnostics
import Explanations
import Lens
import Rendering
import Values

/// What several documents have.
enum SharedShapes {
  static let texts = Shape.list(.text)

  static let problems = Shape.Key("problems", texts, "what couldn't be read, one sentence each")

  static let damage = Shape.Key(
    "damage", .text.orNull, "what is damaged, a clause; null if nothing shows at a glance")

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
