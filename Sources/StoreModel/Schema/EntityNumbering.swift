import Base

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
    indexByName = Dictionary(firstOf: entries.enumerated().map { ($1.name, $0) })
  }

  package subscript(name: String) -> Entry? { indexByName[name].map { entries[$0] } }

  /// The numbers that a store gives to the model's entities: those of Z_PRIMARYKEY where the names agree; where
  /// they don't, the row under the number that the rule predicts, whose name is then a stale one.
  ///
  /// A store of one configuration numbers only that configuration's entities; the others are left out.
  package static func joining(
    _ model: ManagedObjectModel, _ primaryKeys: PrimaryKeyTable
  ) -> (EntityNumbering, [SchemaDiscrepancy]) {
    let names = Dictionary(firstOf: primaryKeys.user.map { ($0.number, $0.name) })
    var best = EntityNumbering(model: model)
    func agreement(_ numbering: EntityNumbering) -> Int {
      numbering.entries.count { names[$0.number] == $0.name }
    }
    if agreement(best) < best.entries.count {
      let listed = Set(names.values)
      let subsets = model.configurations.sorted { $0.key < $1.key }.map(\.value) + [listed]
      for subset in subsets {
        let numbering = EntityNumbering(model: model, only: subset)
        if agreement(numbering) > agreement(best) { best = numbering }
      }
    }
    return best.joined(to: primaryKeys, among: model)
  }

  private func joined(
    to primaryKeys: PrimaryKeyTable, among model: ManagedObjectModel
  ) -> (EntityNumbering, [SchemaDiscrepancy]) {
    var rows = Dictionary(firstOf: primaryKeys.user.map { ($0.number, $0) })
    let byName = Dictionary(firstOf: primaryKeys.user.map { ($0.name, $0) })
    var numbers: [Int64?] = []
    for entry in entries {
      let row = byName[entry.name].flatMap { rows.removeValue(forKey: $0.number) }
      numbers.append(row?.number)
    }
    var staleNames: [Int: String] = [:]
    var discrepancies: [SchemaDiscrepancy] = []
    var taken = Set(primaryKeys.user.map(\.number))
    var unused = (taken.union(entries.map(\.number)).max() ?? 0)
    for (index, entry) in entries.enumerated() where numbers[index] == nil {
      if let row = rows.removeValue(forKey: entry.number) {
        numbers[index] = row.number
        staleNames[index] = row.name
        discrepancies.append(
          SchemaDiscrepancy(.staleEntityName, entity: row.name, expected: entry.name))
      } else {
        if taken.insert(entry.number).inserted {
          numbers[index] = entry.number
        } else {
          unused += 1
          numbers[index] = unused
        }
        discrepancies.append(SchemaDiscrepancy(.entityWithoutNumber, entity: entry.name))
      }
    }
    let walk = HierarchyWalk(model.entities.filter { self[$0.name] != nil })
    var joined = EntityNumbering(walk: walk, numbers: numbers.compactMap { $0 })
    for (index, name) in staleNames { joined.entries[index].staleName = name }

    let parents = Dictionary(firstOf: primaryKeys.user.map { ($0.number, $0.parent) })
    for (predicted, entry) in zip(entries, joined.entries) {
      guard let parent = parents[entry.number] else { continue }
      if predicted.number != entry.number || parent != entry.parent {
        let place = "number \(predicted.number)" + (predicted.parent.map { " below number \($0)" } ?? "")
        discrepancies.append(SchemaDiscrepancy(.numberingDiffers, entity: entry.name, expected: place))
      }
    }
    for row in rows.values.sorted(by: { $0.number < $1.number }) {
      discrepancies.append(SchemaDiscrepancy(.numberWithoutEntity, entity: row.name))
    }
    return (joined, discrepancies)
  }
}

/// Entities depth-first, roots and children sorted by name without regard to case.
struct HierarchyWalk {
  struct Step {
    var name: String
    /// Index of the superentity's step, nil for a root.
    var parent: Int?
    var root: Int
  }

  /// Real hierarchies have four levels at most. What lies deeper than this, or in a circle, can only come from a
  /// model made to do harm, and counts as a root.
  static let depthLimit = 64

  private(set) var steps: [Step] = []
  private var visited: Set<String> = []
  private let children: [String: [String]]

  init(_ entities: [EntityDescription]) {
    let names = Set(entities.map(\.name))
    var roots: [String] = []
    var children: [String: [String]] = [:]
    for entity in entities {
      if let parent = entity.superentity, names.contains(parent) {
        children[parent, default: []].append(entity.name)
      } else {
        roots.append(entity.name)
      }
    }
    self.children = children.mapValues(Self.sorted)
    for root in Self.sorted(roots) { visit(root, parent: nil, depth: 0) }
    for rest in Self.sorted(names.subtracting(visited)) { visit(rest, parent: nil, depth: 0) }
  }

  private mutating func visit(_ name: String, parent: Int?, depth: Int) {
    guard depth < Self.depthLimit, visited.insert(name).inserted else { return }
    let index = steps.count
    steps.append(Step(name: name, parent: parent, root: parent.map { steps[$0].root } ?? index))
    for child in children[name] ?? [] { visit(child, parent: index, depth: depth + 1) }
  }

  private static func sorted(_ names: some Sequence<String>) -> [String] {
    names.map { (folded: $0.lowercased(), name: $0) }.sorted { $0 < $1 }.map(\.name)
  }
}
