import Lens
import StoreModel
import Values

/// What people read of a record: its object's title, and whether the server has what is here.
final class RecordWords {
  private let mirror: Mirror
  private let titles: ShownTitles
  private let areFew: Bool
  /// Whether what is pending can't be determined.
  private var isUnsure = false

  /// Beyond these, one pass over all records takes less time than one over new history for each.
  private static let few = 3

  /// - Parameter count: how many records are shown at most.
  init(_ open: OpenStore, _ mirror: Mirror, atMost count: Int) {
    self.mirror = mirror
    areFew = count <= Self.few
    titles = ShownTitles(open)
  }

  func title(of record: MirrorRecord) throws -> String? {
    try record.object.flatMap { try titles.title(of: $0, isDeleted: !record.objectExists) }
  }

  /// A record stays `uploaded` until the exporter has processed what was saved later.
  func state(of record: MirrorRecord) throws -> String {
    let state = record.state.rawValue
    guard record.state == .uploaded, !isUnsure, let object = record.object else { return state }
    do {
      guard try mirror.hasLaterChanges(object, isOneOfFew: areFew) else { return state }
      return "\(state), \(record.objectExists ? "changed" : "deleted") since"
    } catch is StoreScopeError {
      isUnsure = true
      return state
    }
  }
}
