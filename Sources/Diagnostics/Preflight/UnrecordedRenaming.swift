import StoreModel

/// A removal next to an addition: often a renaming that the model doesn't record.
struct UnrecordedRenaming {
  private let old: String
  /// What the older model's own renaming ID says, which stays the property's identity.
  private let identity: String
  private let new: String

  var advice: String {
    let renaming = old == new ? "'\(new)' is still the same" : "'\(old)' was renamed to '\(new)'"
    return "If \(renaming), set the renaming ID of '\(new)' to '\(identity)'."
  }

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

  /// The entity or property that is removed where this one is added, or the other way around; a property with the same
  /// type. Nil if there are several, or several to take its place: which one it was would be a guess.
  static func of(_ change: ModelChange, in changes: [ModelChange]) -> UnrecordedRenaming? {
    guard let kinds = additions.first(where: { $0.addition == change.kind || $0.removal == change.kind })
    else {
      return nil
    }
    func others(_ kind: ModelChange.Kind, like change: ModelChange) -> [ModelChange] {
      changes.filter { $0.kind == kind && isAlike($0, change) }
    }
    let isAddition = change.kind == kinds.addition
    let found = others(isAddition ? kinds.removal : kinds.addition, like: change)
    guard found.count == 1, others(change.kind, like: found[0]).count == 1 else { return nil }
    let (removed, added) = isAddition ? (found[0], change) : (change, found[0])
    let old = removed.property ?? removed.entity
    return UnrecordedRenaming(
      old: old, identity: removed.older.renamingIdentifier ?? old, new: added.property ?? added.entity)
  }

  /// A property may also move within its hierarchy when it is renamed.
  private static func isAlike(_ one: ModelChange, _ other: ModelChange) -> Bool {
    guard one.property != nil else { return true }
    guard one.hasValues, other.hasValues else { return false }
    return (one.before ?? one.after) == (other.before ?? other.after)
      && !Set(one.older.entities).isDisjoint(with: other.older.entities)
  }
}
