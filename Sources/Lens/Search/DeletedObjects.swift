import SQLite
package import StoreModel
package import Values

/// Objects that are gone, and the values that the store still has of them: those that history kept, and those in the
/// copies of their records.
package struct DeletedObjects {
  /// When an object was deleted and by whom, as far as history has it.
  package struct Deletion: Sendable, Equatable {
    package var at: CoreDataDate?
    package var author: String?
  }

  private let store: CoreDataStore
  private let mirror: Mirror?
  private let history: HistoryReader?
  private let names: ChangeNames
  private let titles: ObjectTitles

  package init(_ store: CoreDataStore, _ mirror: Mirror?) throws {
    self.store = store
    self.mirror = mirror
    history = try HistoryReader(store)
    names = ChangeNames(store)
    titles = ObjectTitles(store)
  }

  /// Calls `body` with every deleted object of which values are kept, and with these, until it returns false: first
  /// what history has, then what the copies of records have, so that an object may come twice.
  /// - Parameter entities: their numbers.
  package func forEach(
    of entities: Set<Int64>, step: () -> Void, _ body: (ObjectKey, [DataValue.Member]) throws -> Bool
  ) throws {
    var goesOn = true
    var filter = HistoryFilter()
    filter.kinds = [.delete]
    try history?.forEachChange(filter, reading: .tombstone) { cursor, _ in
      step()
      guard let object = cursor.change.object, entities.contains(object.entity),
        case .object(let members) = names.tombstone(of: cursor.change, cursor.tombstoneCells)
      else { return true }
      goesOn = try body(object, members)
      return goesOn
    }
    guard goesOn, let mirror else { return }
    var gone = RecordFilter()
    gone.isOfGoneObject = true
    try RecordReader(mirror, filter: gone, decodesArchives: true).forEach { record in
      step()
      guard let object = record.object, entities.contains(object.entity), let members = values(of: record)
      else { return true }
      return try body(object, members)
    }
  }

  /// What the copy of the record has of the object's attributes, by their names; nil without a copy.
  package func values(of record: MirrorRecord) -> [DataValue.Member]? {
    guard case .object(let fields)? = record.fields,
      let entity = record.entityNumber.flatMap({ store.schema[$0] })
    else { return nil }
    // https://developer.apple.com/documentation/coredata/reading-cloudkit-records-for-core-data
    return fields.filter { $0.name.hasPrefix("CD_") }.map {
      DataValue.Member(String($0.name.dropFirst(3)), $0.value)
    }.filter { entity.attribute(named: $0.name) != nil }
  }

  /// What people recognized a deleted object by.
  package func title(of object: ObjectKey) throws -> String? {
    var title: String?
    try history?.forEachChange(deletions(of: object), reversed: true, reading: .tombstone) { cursor, _ in
      let kept = names.tombstone(of: cursor.change, cursor.tombstoneCells)
      title = titles.title(of: cursor.change.entity ?? object.entity, tombstone: kept)
      return title == nil
    }
    return try title ?? titleInRecord(of: object)
  }

  /// The titles of the objects that were deleted last, by the root entity's key, as far as history kept them: one pass for
  /// all, as history has no index by object.
  package func titlesInHistory() throws -> [ObjectKey: String] {
    var found: [ObjectKey: String] = [:]
    var rest = 20_000
    var filter = HistoryFilter()
    filter.kinds = [.delete]
    try history?.forEachChange(filter, reversed: true, reading: .tombstone) { cursor, _ in
      rest -= 1
      let change = cursor.change
      guard let object = change.object else { return rest > 0 }
      let key = shared(object)
      if found[key] == nil {
        found[key] = titles.title(
          of: object.entity, tombstone: names.tombstone(of: change, cursor.tombstoneCells))
      }
      return rest > 0
    }
    return found
  }

  /// The object under its root entity: the objects of a hierarchy share their keys.
  package func shared(_ object: ObjectKey) -> ObjectKey {
    ObjectKey(entity: store.schema[object.entity]?.root ?? object.entity, primaryKey: object.primaryKey)
  }

  /// The same, where history was asked already.
  package func titleInRecord(of object: ObjectKey) throws -> String? {
    guard let mirror else { return nil }
    var title: String?
    let filter = RecordFilter(entities: hierarchy(of: object), objectKey: object.primaryKey)
    try RecordReader(mirror, filter: filter, decodesArchives: true).forEach { record in
      // An object without a title may have had one when it was exported.
      guard !record.objectExists else { return false }
      title = values(of: record).flatMap {
        titles.title(of: record.entityNumber ?? object.entity, tombstone: .object($0))
      }
      return title == nil
    }
    return title
  }

  /// The newest deletion of the object; nil if history has none.
  package func deletion(of object: ObjectKey) throws -> Deletion? {
    var deletion: Deletion?
    try history?.forEachChange(deletions(of: object), reversed: true, reading: []) { _, transaction in
      deletion = Deletion(at: transaction?.timestamp, author: transaction?.author)
      return false
    }
    return deletion
  }

  /// The same of several objects, reading history once: it has no index by object.
  package func deletions(of objects: Set<ObjectKey>, step: () -> Void) throws -> [ObjectKey: Deletion] {
    guard !objects.isEmpty else { return [:] }
    let wanted = Dictionary(grouping: objects, by: shared)
    var deletions: [ObjectKey: Deletion] = [:]
    var filter = HistoryFilter()
    filter.kinds = [.delete]
    // The newest comes last.
    try history?.forEachChange(filter, reading: []) { cursor, transaction in
      step()
      for object in cursor.change.object.flatMap({ wanted[shared($0)] }) ?? [] {
        deletions[object] = Deletion(at: transaction?.timestamp, author: transaction?.author)
      }
      return true
    }
    return deletions
  }

  private func deletions(of object: ObjectKey) -> HistoryFilter {
    var filter = HistoryFilter(entities: hierarchy(of: object), primaryKey: object.primaryKey)
    filter.kinds = [.delete]
    return filter
  }

  /// Numbers of the entities whose objects share keys with this one's.
  private func hierarchy(of object: ObjectKey) -> ClosedRange<Int64> {
    store.schema.hierarchy(ofNumber: object.entity)
  }
}
