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

  /// - Returns: so many at most.
  package static func matches(
    _ text: String, _ options: TextPattern.Options, of entities: [SchemaEntity], in deleted: DeletedObjects,
    _ store: CoreDataStore, limit: Int = Self.limit, step: () -> Void
  ) throws -> [Match] {
    let matcher = ValueMatcher(text, options, store.externalFiles)
    var matches: [Match] = []
    var known: [ObjectKey: Set<String>] = [:]
    try deleted.forEach(of: Set(entities.map(\.number)), step: step) { object, members in
      let attributes = store.schema[object.entity]
      for member in members {
        let property = attributes?.attribute(named: member.name)
        // A record has a Boolean as a number.
        guard property?.description.type != .boolean, let found = matcher.find(in: member.value),
          known[object, default: []].insert(member.name).inserted
        else { continue }
        matches.append(
          Match(object: object, property: member.name, place: found.place, hit: found.hit))
        if matches.count >= limit { return false }
      }
      return true
    }
    var facts: [ObjectKey: (title: String?, deletion: DeletedObjects.Deletion?)] = [:]
    for index in matches.indices {
      let object = matches[index].object
      let fact = try facts[object] ?? (deleted.title(of: object), deleted.deletion(of: object))
      facts[object] = fact
      (matches[index].title, matches[index].deletion) = fact
    }
    return matches
  }
}
