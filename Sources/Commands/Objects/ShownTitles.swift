import Lens
import StoreModel
import Values

/// What people recognize objects by in a list, also those that were deleted.
final class ShownTitles {
  private let titles: ObjectTitles
  /// Nil where the store can't be asked for what is left of them.
  private let deleted: DeletedObjects?
  /// Each deleted object is looked up and decoded, which is for what people read.
  private var lookups = 1000
  /// What history kept of deleted objects; nil until the first of them is shown.
  private var kept: [ObjectKey: String]?
  /// What records' copies have of the others that were looked for; empty for nothing.
  private var copied: [ObjectKey: String] = [:]

  init(_ open: OpenStore) {
    titles = ObjectTitles(open.store)
    // A mirror that can't be read keeps no one from history.
    deleted = (try? open.mirror()).flatMap { try? DeletedObjects(open.store, $0) }
  }

  func title(of object: ObjectKey, isDeleted: Bool) throws -> String? {
    if let title = try titles.title(of: object) { return title }
    guard isDeleted, lookups > 0, let deleted else { return nil }
    lookups -= 1
    return try deleted.title(of: object)
  }

  /// - Parameter tombstone: what history kept of the object.
  func title(of object: ObjectKey, tombstone: DataValue) throws -> String? {
    if let title = try titles.title(of: object.entity, tombstone: tombstone) ?? titles.title(of: object) {
      return title
    }
    guard let deleted else { return nil }
    // Changes before the deletion are the same object's.
    if kept == nil { kept = try deleted.titlesInHistory() }
    if let title = kept?[deleted.shared(object)] { return title }
    if let title = copied[object] { return title.isEmpty ? nil : title }
    guard lookups > 0 else { return nil }
    lookups -= 1
    // History has no more of it than the tombstone, and is long.
    let title = try deleted.titleInRecord(of: object)
    copied[object] = title ?? ""
    return title
  }
}
