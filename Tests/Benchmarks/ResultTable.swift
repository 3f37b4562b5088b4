/// Ratios and memory of all jobs, as Markdown.
struct ResultTable {
  struct Row {
    private let job: String
    private let peer: String
    private let goal: Double
    /// By size; what has none has one only.
    private let comparisons: [Int: Comparison]
    private let only: Comparison?

    init(_ job: Job, _ comparisons: [Int: Comparison]) {
      (self.job, peer, goal) = (job.name, job.peer, job.goal)
      (self.comparisons, only) = (comparisons, nil)
    }

    init(_ job: String, peer: String, goal: Double, _ comparison: Comparison) {
      (self.job, self.peer, self.goal) = (job, peer, goal)
      (comparisons, only) = ([:], comparison)
    }

    func cells(_ sizes: [Int]) -> [String] {
      let ratios =
        only.map { [Self.rounded($0.ratio)] + sizes.dropFirst().map { _ in "" } }
        ?? sizes.map { comparisons[$0].map { Self.rounded($0.ratio) } ?? "" }
      let memory =
        only.map { [Self.memory($0)] + sizes.dropFirst().map { _ in "" } }
        ?? sizes.map { comparisons[$0].map(Self.memory) ?? "" }
      return [job, peer] + ratios + ["≤ \(Self.rounded(goal))"] + memory + [growth(sizes)]
    }

    /// How much longer the largest takes for each object than the next smaller one does.
    private func growth(_ sizes: [Int]) -> String {
      guard sizes.count > 1, let large = comparisons[sizes[sizes.count - 1]],
        let small = comparisons[sizes[sizes.count - 2]]
      else { return "" }
      let factor = Double(sizes[sizes.count - 1]) / Double(sizes[sizes.count - 2])
      return Self.rounded(large.seconds / small.seconds / factor)
    }

    private static func rounded(_ number: Double) -> String { String((number * 100).rounded() / 100) }

    private static func memory(_ comparison: Comparison) -> String {
      "\((comparison.peakBytes + 500_000) / 1_000_000)"
    }
  }

  let sizes: [Int]
  private var rows: [Row] = []

  init(sizes: [Int]) { self.sizes = sizes }

  mutating func add(_ row: Row) { rows.append(row) }

  var markdown: String {
    let names = sizes.map { $0 < 1_000_000 ? "\(Double($0) / 1_000_000) M" : "\($0 / 1_000_000) M" }
    let head =
      ["job", "against"] + names + ["goal"] + names.map { "MB at \($0)" } + [
        "time per object, largest to next"
      ]
    let lines = [head, head.indices.map { $0 < 2 ? "---" : "--:" }] + rows.map { $0.cells(sizes) }
    return lines.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
  }
}
