package import Base
import SQLite
package import StoreModel

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
    try history?.forEachChange(HistoryFilter(kinds: [.delete]), reading: .tombstone) { cursor, _ in
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
    try history?.forEachChange(HistoryFilter(kinds: [.delete]), reversed: true, reading: .tombstone) {
      cursor, _ in
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
    // The newest comes last.
    try history?.forEachChange(HistoryFilter(kinds: [.delete]), reading: []) { cursor, transaction in
      step()
      for object in cursor.change.object.flatMap({ wanted[shared($0)] }) ?? [] {
        deletions[object] = Deletion(at: transaction?.timestamp, author: transaction?.author)
      }
      return true
    }
    return deletions
  }

  private func deletions(of object: ObjectKey) -> HistoryFilter {
    HistoryFilter(kinds: [.delete], entities: hierarchy(of: object), primaryKey: object.primaryKey)
  }

  /// Numbers of the entities whose objects share keys with this one's.
  private func hierarchy(of object: ObjectKey) -> ClosedRange<Int64> {
    store.schema.hierarchy(ofNumber: object.entity)
  }
}

/// Searches the values that history and the copies of records have of deleted objects. Each property of an object counts
/// once.
package enum DeletedSearch {
  package struct Match: Sendable {
    package var found: SearchMatch
    package var title: String?
    /// Nil if history doesn't have it.
    package var deletion: DeletedObjects.Deletion?
  }

  /// Deleted objects are few, or too many to choose from.
  package static let limit = 1000

  /// What was found, so much at most, and how much there is.
  package static func answer(
    to question: SearchQuestion, in deleted: DeletedObjects, _ store: CoreDataStore, limit: Int = Self.limit,
    step: () -> Void
  ) throws -> (matches: [Match], count: Int) {
    let titles = ObjectTitles(store)
    var names: [ObjectKey: String] = [:]
    var matches: [SearchMatch] = []
    var count = 0
    try forEach(question, in: deleted, store, step: step) { match, members in
      count += 1
      guard matches.count < limit else { return true }
      matches.append(match)
      if names[match.object] == nil {
        names[match.object] = titles.title(of: match.object.entity, tombstone: .object(members))
      }
      return true
    }
    let objects = Set(matches.map(\.object))
    for object in objects where names[object] == nil {
      names[object] = try deleted.titleInRecord(of: object)
    }
    let deletions = try deleted.deletions(of: objects, step: step)
    return (
      matches.map { Match(found: $0, title: names[$0.object], deletion: deletions[$0.object]) }, count
    )
  }

  /// A deleted object that was found by a name of it.
  package static func match(_ found: SearchMatch, in deleted: DeletedObjects) throws -> Match {
    Match(
      found: found, title: try deleted.title(of: found.object),
      deletion: try deleted.deletion(of: found.object))
  }

  /// Calls `body` with each match and what is left of its object, until it returns false.
  package static func forEach(
    _ question: SearchQuestion, in deleted: DeletedObjects, _ store: CoreDataStore, step: () -> Void,
    _ body: (SearchMatch, [DataValue.Member]) throws -> Bool
  ) throws {
    /// An object comes again where its record's copy has values too.
    struct Place: Hashable {
      var object: ObjectKey
      var property: String
    }
    let entities = Dictionary(firstOf: question.entities.map { ($0.number, $0) })
    let matcher = question.matcher(in: store)
    var known: Set<Place> = []
    try deleted.forEach(of: Set(entities.keys), step: step) { object, members in
      for member in members where question.property?.includes(member.name) ?? true {
        var value = member.value
        let type = entities[object.entity]?.attribute(named: member.name)?.description.type
        // History and records have it as text, and what isn't searched in existing objects isn't here.
        if type == .uuid, !matcher.mayBeUUID { continue }
        // A record has a Boolean as a number.
        if case .integer(let number) = value, type == .boolean { value = .bool(number != 0) }
        guard let found = matcher.find(in: value, of: member.name),
          known.insert(Place(object: object, property: member.name)).inserted
        else { continue }
        guard try body(SearchMatch(object, member.name, found.place, found.hit), members) else {
          return false
        }
      }
      return true
    }
  }
}
