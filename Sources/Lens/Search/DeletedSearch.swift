package import StoreModel
package import Values

/// Searches the values that history has of deleted objects. Each property of an object counts once.
package enum DeletedSearch {
  package struct Match: Sendable {
    package var object: ObjectKey
    package var property: String
    /// Where in a decoded value.
    package var place: String
    package var hit: TextHit
    package var title: String?
    /// Nil if history doesn't have it.
    package var deletion: DeletedObjects.Deletion?
  }

  /// Deleted objects are few, or too many to choose from.
  package static let limit = 1000

  /// - Returns: so many at most, and whether there are more.
  package static func matches(
    _ text: String, _ options: TextPattern.Options, of entities: [SchemaEntity], in deleted: DeletedObjects,
    _ store: CoreDataStore, limit: Int = Self.limit, step: () -> Void
  ) throws -> (matches: [Match], isCut: Bool) {
    let matcher = ValueMatcher(text, options, store.externalFiles)
    var matches: [Match] = []
    var isCut = false
    var known: [ObjectKey: Set<String>] = [:]
    var names: [ObjectKey: String] = [:]
    let titles = ObjectTitles(store)
    try deleted.forEach(of: Set(entities.map(\.number)), step: step) { object, members in
      let attributes = store.schema[object.entity]
      for member in members {
        let property = attributes?.attribute(named: member.name)
        // A record has a Boolean as a number.
        guard property?.description.type != .boolean, let found = matcher.find(in: member.value),
          known[object, default: []].insert(member.name).inserted
        else { continue }
        guard matches.count < limit else {
          isCut = true
          return false
        }
        if names[object] == nil {
          names[object] = titles.title(of: object.entity, tombstone: .object(members))
        }
        matches.append(
          Match(object: object, property: member.name, place: found.place, hit: found.hit))
      }
      return true
    }
    let objects = Set(matches.map(\.object))
    for object in objects where names[object] == nil {
      names[object] = try deleted.titleInRecord(of: object)
    }
    let deletions = try deleted.deletions(of: objects, step: step)
    for index in matches.indices {
      let object = matches[index].object
      (matches[index].title, matches[index].deletion) = (names[object], deletions[object])
    }
    return (matches, isCut)
  }
}
