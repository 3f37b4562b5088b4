/// The entities of a model in the store's order, each with its number.
///
/// Roots are sorted by name without regard to case, each hierarchy is walked depth-first with children sorted
/// likewise, and numbers count from 1 (measured on real stores: no exception in frameworks 851 to 1526). A
/// subtree's numbers are therefore contiguous.
package struct EntityNumbering: Sendable, Equatable {
  package struct Entry: Sendable, Equatable {
    /// The model's name.
    package var name: String
    package var number: Int64
    /// The name in Z_PRIMARYKEY, where it isn't the model's.
    package var staleName: String?
    /// Number of the superentity, nil for a root.
    package var parent: Int64?
    package var root: Int64
    /// Its own number and those of all entities below it.
    package var subtree: ClosedRange<Int64>
  }

  /// Depth-first, superentities before their sub-entities.
  package internal(set) var entries: [Entry]
  private let indexByName: [String: Int]

  /// Counts from 1 over all entities of the model, or over those whose names are given.
  package init(model: ManagedObjectModel, only names: Set<String>? = nil) {
    let walk = HierarchyWalk(model.entities.filter { names?.contains($0.name) ?? true })
    self.init(walk: walk, numbers: (0..<walk.steps.count).map { Int64($0) + 1 })
  }

  init(walk: HierarchyWalk, numbers: [Int64]) {
    var entries = zip(walk.steps, numbers).map { step, number in
      Entry(
        name: step.name, number: number, parent: step.parent.map { numbers[$0] }, root: numbers[step.root],
        subtree: number...number)
    }
    // Backwards, so that an entity's own subtree is complete when it joins its superentity's.
    for (index, step) in walk.steps.enumerated().reversed() {
      guard let parent = step.parent else { continue }
      let (one, other) = (entries[parent].subtree, entries[index].subtree)
      entries[parent].subtree =
        min(one.lowerBound, other.lowerBound)...max(one.upperBound, other.upperBound)
    }
    self.entries = entries
    indexByName = Dictionary(
      entries.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  package subscript(name: String) -> Entry? { indexByName[name].map { entries[$0] } }
}
