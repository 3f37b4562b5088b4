/// Which pending changes are wanted; all conditions hold at once.
package struct PendingFilter: Sendable, Equatable {
  /// Any of these kinds; all where there are none.
  package var kinds: Set<PendingItem.Kind> = []
  /// Names of entities.
  package var entities: Set<String>?
  /// Saved by any of these authors, first or later; all where there are none.
  package var authors: Set<String> = []
  /// Only what was saved without an author, first or later.
  package var hasNoAuthor = false

  package init() {}

  package var isEmpty: Bool { self == PendingFilter() }

  /// Whether an author is asked for, or none.
  package var asksWho: Bool { hasNoAuthor || !authors.isEmpty }

  /// The changes that show who saved an object again; nil if nobody is asked for.
  var saves: HistoryFilter? {
    guard asksWho else { return nil }
    var saves = HistoryFilter()
    saves.hasNoAuthor = hasNoAuthor
    if !authors.isEmpty { saves.origins[.author] = authors.sorted() }
    return saves
  }

  /// - Parameter item: with its later save, if one of the authors asked for made it.
  func includes(_ item: PendingItem) -> Bool {
    guard kinds.isEmpty || kinds.contains(item.kind) else { return false }
    if let entities, !(item.entity.map(entities.contains) ?? false) { return false }
    if item.laterSave != nil { return true }
    if hasNoAuthor { return item.since != nil && item.author == nil }
    return authors.isEmpty || item.author.map(authors.contains) ?? false
  }
}
