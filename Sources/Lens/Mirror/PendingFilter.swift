/// Which pending changes are wanted; all conditions hold at once.
package struct PendingFilter: Sendable, Equatable {
  /// Any of these kinds; all where there are none.
  package var kinds: Set<PendingItem.Kind> = []
  /// Names of entities.
  package var entities: Set<String>?
  /// Any of these authors; all where there are none.
  package var authors: Set<String> = []
  /// Only what was saved without an author.
  package var hasNoAuthor = false

  package init() {}

  package var isEmpty: Bool { self == PendingFilter() }

  var asksForAuthor: Bool { hasNoAuthor || !authors.isEmpty }

  /// - Parameter touched: the object was changed by a wanted author while it was pending, whoever caused that first.
  func includes(_ item: PendingItem, touched: Bool) -> Bool {
    guard kinds.isEmpty || kinds.contains(item.kind) else { return false }
    if let entities, !(item.entity.map(entities.contains) ?? false) { return false }
    if touched { return true }
    if hasNoAuthor { return item.since != nil && item.author == nil }
    return authors.isEmpty || item.author.map(authors.contains) ?? false
  }
}
