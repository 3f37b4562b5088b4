import StoreModel

/// A removal next to an addition: often a renaming that the model doesn't record.
struct UnrecordedRenaming {
  private let old: String
  private let new: String

  var advice: String { "If '\(old)' was renamed to '\(new)', set the renaming ID of '\(new)' to '\(old)'." }

  private static let additions: [(removal: ModelChange.Kind, addition: ModelChange.Kind)] = [
    (.entityRemoved, .entityAdded), (.attributeRemoved, .attributeAdded),
    (.relationshipRemoved, .relationshipAdded),
  ]

  /// Entities before properties.
  static func first(in changes: [ModelChange]) -> UnrecordedRenaming? {
    for kinds in additions {
      for added in changes where added.kind == kinds.addition {
        if let found = of(added, in: changes) { return found }
      }
    }
    return nil
  }

  /// The entity or property that is removed where this one is added; a property with the same type. Nil if there are
  /// several, or several to take its place: which one it was would be a guess.
  static func of(_ addition: ModelChange, in changes: [ModelChange]) -> UnrecordedRenaming? {
    guard let removal = additions.first(where: { $0.addition == addition.kind })?.removal else { return nil }
    func isAlike(_ removed: ModelChange, _ added: ModelChange) -> Bool {
      removal == .entityRemoved || (removed.entity == added.entity && removed.before == added.after)
    }
    let removed = changes.filter { $0.kind == removal && isAlike($0, addition) }
    guard removed.count == 1, let old = removed.first,
      changes.count(where: { $0.kind == addition.kind && isAlike(old, $0) }) == 1
    else { return nil }
    return UnrecordedRenaming(old: old.property ?? old.entity, new: addition.property ?? addition.entity)
  }
}
