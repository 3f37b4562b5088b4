/// Entities as Z_PRIMARYKEY alone shows them. Circles among the superentities are cut.
struct GuessedHierarchy {
  private let rows: [Int64: PrimaryKeyTable.Row]
  private var lineages: [Int64: [Int64]] = [:]
  private var subtrees: [Int64: ClosedRange<Int64>] = [:]

  init(_ list: [PrimaryKeyTable.Row]) {
    rows = Dictionary(list.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    for row in list {
      var lineage = [row.number]
      while let parent = rows[lineage[lineage.count - 1]]?.parent, rows[parent] != nil,
        !lineage.contains(parent), lineage.count < HierarchyWalk.depthLimit
      {
        lineage.append(parent)
      }
      lineages[row.number] = lineage
      for number in lineage {
        let known = subtrees[number] ?? number...number
        subtrees[number] = min(known.lowerBound, row.number)...max(known.upperBound, row.number)
      }
    }
  }

  /// The entity itself, its superentity, and so on up to the root.
  func lineage(of number: Int64) -> [Int64] { lineages[number] ?? [number] }

  func root(of number: Int64) -> Int64 { lineage(of: number).last ?? number }

  func parent(of number: Int64) -> Int64? { lineage(of: number).dropFirst().first }

  func subtree(of number: Int64) -> ClosedRange<Int64> { subtrees[number] ?? number...number }

  func name(of number: Int64) -> String? { rows[number]?.name }
}
