package import Base
package import StoreModel

/// What is looked for, and where.
package struct SearchQuestion {
  package let text: String
  package let options: TextPattern.Options
  /// What the text stands for as a date; nil to read it as one in UTC.
  let period: Range<CoreDataDate>?
  /// Whose objects; with those of entities below them if they are in the list too.
  package let entities: [SchemaEntity]
  /// Only in what has that name; nil for all.
  package let property: PropertyName?

  package init(
    _ text: String, _ options: TextPattern.Options = .init(), period: Range<CoreDataDate>? = nil,
    of entities: [SchemaEntity], in property: PropertyName? = nil
  ) {
    self.text = text
    self.options = options
    self.period = period
    self.entities = entities
    self.property = property
  }

  /// - Parameter store: the one of the thread that asks it.
  func matcher(in store: CoreDataStore) -> ValueMatcher {
    ValueMatcher(TypedValue(text, period: period), options, store.externalFiles, in: property)
  }
}

/// A property by the name that people type: an attribute, a composite or a leaf of it, a member of a decoded value such as
/// `mapStyle.scheme`; in any capitals.
package struct PropertyName {
  package let name: String

  package init(_ name: String) { self.name = name }

  /// The path that a name means: itself in any capitals, or the only composite's part of that name.
  package static func meant(by name: String, among paths: [String]) -> String? {
    if let same = Suggestion.spelled(name, in: paths) { return same }
    let end = "." + name.lowercased()
    let parts = paths.filter { $0.lowercased().hasSuffix(end) }
    return parts.count == 1 ? parts[0] : nil
  }

  /// Whether a stored property is that one, a part of it, or has it as a member.
  package func includes(_ path: String) -> Bool {
    let (name, path) = (name.lowercased(), path.lowercased())
    return
      name == path || path.hasPrefix(name + ".") || name.hasPrefix(path + ".")
      || name.hasPrefix(path + "[")
  }

  /// Where in that property's decoded value it looks: `.scheme` of `mapStyle.scheme` in `mapStyle`; nil for all of it.
  func place(in path: String) -> String? {
    let (name, path) = (name.lowercased(), path.lowercased())
    return name.count > path.count && name.hasPrefix(path) ? String(name.dropFirst(path.count)) : nil
  }
}

extension SchemaEntity {
  /// The attribute, or a composite's leaf by its path, that people mean by a name; in another case if no other is meant.
  package func attribute(named name: String) -> SchemaAttribute? {
    let all = attributes.flatMap { [$0] + $0.leaves }
    if let same = all.first(where: { $0.path == name }) { return same }
    return all.first { $0.path.lowercased() == name.lowercased() }
  }

  /// The same, or the attribute whose decoded value has a member by that path, such as `mapStyle.scheme`.
  package func attribute(holding path: String) -> SchemaAttribute? {
    attribute(named: path) ?? attribute(named: String(path.prefix { !".[".contains($0) }))
  }

  /// What can be searched by a name, as SQL names it.
  package var attributeNames: [String] {
    attributes.flatMap { attribute in
      attribute.description.isEnumeration ? [attribute.path] : attribute.leaves.map(\.path)
    }
  }
}

/// A property of an object in which a text was found.
package struct SearchMatch: Sendable {
  package var object: ObjectKey
  /// Dotted where it is a composite's leaf; `uri`, `recordName` or `title` where the text names the object.
  package var property: String
  /// Where in a decoded value, for example `.recent[0]`; empty for a value that is plain.
  package var place: String
  package var hit: TextHit

  package init(_ object: ObjectKey, _ property: String, _ place: String = "", _ hit: TextHit) {
    self.object = object
    self.property = property
    self.place = place
    self.hit = hit
  }
}

/// The objects that are closest to a text: those that have exactly that, or else those that have it in other capitals, or
/// else those that have it as a part of a value.
package struct ClosestMatches {
  package enum Closeness: Int, Sendable, Comparable {
    case equal, alike, partial

    package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
  }

  /// One more than people choose from.
  package static let limit = 11

  private let text: String
  /// Nil without matches.
  package private(set) var closeness: Closeness?
  /// One of each object, in their order; so many at most.
  package private(set) var matches: [SearchMatch] = []

  package init(to text: String) { self.text = text }

  /// Whether no other match can change it.
  package var isFull: Bool { closeness == .equal && matches.count == Self.limit }

  package mutating func add(_ match: SearchMatch) {
    let new = closeness(of: match.hit)
    if let closeness, new > closeness { return }
    if new != closeness { (closeness, matches) = (new, []) }
    guard matches.count < Self.limit, !matches.contains(where: { $0.object == match.object }) else { return }
    matches.append(match)
  }

  /// Numbers, dates and UUIDs are equal in whichever form they were typed.
  private func closeness(of hit: TextHit) -> Closeness {
    guard let whole = hit.whole else { return .partial }
    return whole != text && whole.lowercased() == text.lowercased() ? .alike : .equal
  }
}
