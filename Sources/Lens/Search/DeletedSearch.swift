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

  /// A deleted object that was found by a name of it.
  package static func match(
    _ object: ObjectKey, _ property: String, _ text: String, in deleted: DeletedObjects
  ) throws -> Match {
    Match(
      object: object, property: property, place: "", hit: TextHit(whole: text),
      title: try deleted.title(of: object), deletion: try deleted.deletion(of: object))
  }

  /// Deleted objects are few, or too many to choose from.
  package static let limit = 1000

  /// An object comes again where its record's copy has values too.
  private struct Place: Hashable {
    var object: ObjectKey
    var property: Int
  }

  /// - Parameters:
  ///   - period: what the text stands for as a date; nil to read it as one in UTC.
  ///   - property: only in what has that name; nil for all.
  /// - Returns: so many at most, and how many there are.
  package static func matches(
    _ text: String, period: Range<CoreDataDate>? = nil, _ options: TextPattern.Options,
    of entities: [SchemaEntity], property asked: PropertyName? = nil, in deleted: DeletedObjects,
    _ store: CoreDataStore,
    limit: Int = Self.limit, step: () -> Void
  ) throws -> (matches: [Match], count: Int) {
    let matcher = ValueMatcher(TypedValue(text, period: period), options, store.externalFiles, in: asked)
    var matches: [Match] = []
    var properties: [String: Int] = [:]
    var known: Set<Place> = []
    var names: [ObjectKey: String] = [:]
    let titles = ObjectTitles(store)
    try deleted.forEach(of: Set(entities.map(\.number)), step: step) { object, members in
      let attributes = store.schema[object.entity]
      for member in members {
        let property = attributes?.attribute(named: member.name)
        var value = member.value
        // A record has a Boolean as a number.
        if property?.description.type == .boolean, case .integer(let number) = value {
          value = .bool(number != 0)
        }
        guard asked?.includes(member.name) ?? true, let found = matcher.find(in: value, of: member.name),
          known.insert(Place(object: object, property: properties.number(of: member.name))).inserted,
          matches.count < limit
        else { continue }
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
    return (matches, known.count)
  }
}

extension [String: Int] {
  /// A number of its own for each name.
  fileprivate mutating func number(of name: String) -> Int {
    if let number = self[name] { return number }
    self[name] = count
    return count - 1
  }
}
