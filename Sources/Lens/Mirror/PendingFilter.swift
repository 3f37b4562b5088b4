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

  func includes(_ item: PendingItem) -> Bool {
    guard kinds.isEmpty || kinds.contains(item.kind) else { return false }
    if let entities, !(item.entity.map(entities.contains) ?? false) { return false }
    if hasNoAuthor { return item.since != nil && item.author == nil }
    return authors.isEmpty || item.author.map(authors.contains) ?? false
  }
}
