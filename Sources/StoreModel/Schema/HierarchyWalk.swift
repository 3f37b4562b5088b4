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
