package import StoreModel
package import Values

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
    let entities = Dictionary(question.entities.map { ($0.number, $0) }, uniquingKeysWith: { one, _ in one })
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
