package import Values

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
