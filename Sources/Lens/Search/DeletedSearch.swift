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

  /// What is looked for.
  package struct Question {
    let text: String
    let period: Range<CoreDataDate>?
    let entities: [SchemaEntity]
    let property: PropertyName?

    /// - Parameters:
    ///   - period: what the text stands for as a date; nil to read it as one in UTC.
    ///   - property: only in what has that name; nil for all.
    package init(
      _ text: String, period: Range<CoreDataDate>? = nil, of entities: [SchemaEntity],
      property: PropertyName? = nil
    ) {
      (self.text, self.period, self.entities, self.property) = (text, period, entities, property)
    }
  }

  /// What was found, so much at most, and how much there is.
  package typealias Answer = (matches: [Match], count: Int)

  /// The answers to the questions, in their order, from one pass over history and the records: that is what takes time.
  package static func answers(
    to questions: [Question], _ options: TextPattern.Options, in deleted: DeletedObjects,
    _ store: CoreDataStore, limit: Int = Self.limit, step: () -> Void
  ) throws -> [Answer] {
    var searches = questions.map { PropertySearch($0, options, store) }
    let titles = ObjectTitles(store)
    var names: [ObjectKey: String] = [:]
    try deleted.forEach(of: Set(questions.flatMap(\.entities).map(\.number)), step: step) { object, members in
      for index in searches.indices
      where searches[index].look(at: members, of: object, limit) && names[object] == nil {
        names[object] = titles.title(of: object.entity, tombstone: .object(members))
      }
      return true
    }
    let objects = Set(searches.flatMap(\.matches).map(\.object))
    for object in objects where names[object] == nil {
      names[object] = try deleted.titleInRecord(of: object)
    }
    let deletions = try deleted.deletions(of: objects, step: step)
    return searches.map { search in
      let matches = search.matches.map { match in
        var match = match
        (match.title, match.deletion) = (names[match.object], deletions[match.object])
        return match
      }
      return (matches, search.count)
    }
  }
}

/// Looks for one value in the properties of deleted objects.
private struct PropertySearch {
  /// An object comes again where its record's copy has values too.
  private struct Place: Hashable {
    var object: ObjectKey
    var property: Int
  }

  private let asked: PropertyName?
  private let entities: [Int64: SchemaEntity]
  private let matcher: ValueMatcher
  private let mayBeUUID: Bool
  private var properties: [String: Int] = [:]
  private var known: Set<Place> = []
  private(set) var matches: [DeletedSearch.Match] = []

  init(_ question: DeletedSearch.Question, _ options: TextPattern.Options, _ store: CoreDataStore) {
    asked = question.property
    entities = Dictionary(question.entities.map { ($0.number, $0) }, uniquingKeysWith: { one, _ in one })
    let typed = TypedValue(question.text, period: question.period)
    mayBeUUID = typed.mayBeUUID
    matcher = ValueMatcher(typed, options, store.externalFiles, in: asked)
  }

  var count: Int { known.count }

  /// - Returns: whether a match was added.
  mutating func look(at members: [DataValue.Member], of object: ObjectKey, _ limit: Int) -> Bool {
    guard let entity = entities[object.entity] else { return false }
    let before = matches.count
    for member in members where asked?.includes(member.name) ?? true {
      var value = member.value
      let type = entity.attribute(named: member.name)?.description.type
      // History and records have it as text, and what isn't searched in existing objects isn't here.
      if type == .uuid, !mayBeUUID { continue }
      // A record has a Boolean as a number.
      if case .integer(let number) = value, type == .boolean { value = .bool(number != 0) }
      guard let found = matcher.find(in: value, of: member.name),
        known.insert(Place(object: object, property: properties.number(of: member.name))).inserted,
        matches.count < limit
      else { continue }
      matches.append(
        DeletedSearch.Match(object: object, property: member.name, place: found.place, hit: found.hit))
    }
    return matches.count > before
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
