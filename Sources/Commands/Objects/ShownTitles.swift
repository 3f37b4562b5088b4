import Base
import Lens
import StoreModel

/// What people recognize objects by in a list, also those that were deleted.
final class ShownTitles {
  private let store: CoreDataStore
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
    store = open.store
    titles = ObjectTitles(store)
    // A mirror that can't be read keeps no one from history.
    deleted = (try? open.mirror()).flatMap { try? DeletedObjects(open.store, $0) }
  }

  func title(of object: ObjectKey, isDeleted: Bool) throws -> String? {
    try titles.title(of: object) ?? (isDeleted ? keptTitle(of: object) : nil)
  }

  func title(of item: PendingItem) throws -> String? {
    guard let entity = item.entity.flatMap({ store.schema[$0] }), let primaryKey = item.primaryKey else {
      return nil
    }
    return try title(
      of: ObjectKey(entity: entity.number, primaryKey: primaryKey), isDeleted: item.deletesObject)
  }

  /// - Parameter tombstone: what history kept of the object.
  func title(of object: ObjectKey, tombstone: DataValue) throws -> String? {
    try titles.title(of: object.entity, tombstone: tombstone) ?? titles.title(of: object)
      ?? keptTitle(of: object)
  }

  /// What is left of an object that may be deleted: in history, which has it at its deletion only, or else in its record's
  /// copy.
  private func keptTitle(of object: ObjectKey) throws -> String? {
    guard let deleted else { return nil }
    if kept == nil { kept = try deleted.titlesInHistory() }
    if let title = kept?[deleted.shared(object)] { return title }
    if let title = copied[object] { return title.isEmpty ? nil : title }
    guard lookups > 0 else { return nil }
    lookups -= 1
    let title = try deleted.titleInRecord(of: object)
    copied[object] = title ?? ""
    return title
  }
}
