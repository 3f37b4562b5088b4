/// Ratios, times and memory of all jobs, as Markdown.
struct ResultTable {
  struct Row {
    let job: String
    private let peer: String
    private let goal: Double
    private let profile: String
    /// By size.
    private let comparisons: [Int: Comparison]

    init(_ job: String, peer: String, goal: Double, profile: String = "", _ comparisons: [Int: Comparison]) {
      (self.job, self.peer, self.goal, self.profile) = (job, peer, goal, profile)
      self.comparisons = comparisons
    }

    func cells(_ sizes: [Int]) -> [String] {
      let measured = sizes.enumerated().map { index, size in
        comparisons[size] ?? (index == 0 ? comparisons[Results.only] : nil)
      }
      let ratios = measured.map { $0.map(Self.ratio) ?? "" }
      let memory = measured.map { $0.map(Self.memory) ?? "" }
      return [job, peer] + ratios + ["≤ \(Self.rounded(goal))"] + memory + growth(sizes)
    }

    /// How much longer the largest takes for each object than the next smaller one does, and how much more memory it needs.
    private func growth(_ sizes: [Int]) -> [String] {
      guard sizes.count > 1, let large = comparisons[sizes[sizes.count - 1]],
        let small = comparisons[sizes[sizes.count - 2]]
      else { return ["", ""] }
      let factor = Double(sizes[sizes.count - 1]) / Double(sizes[sizes.count - 2])
      let more = (Double(large.peakBytes) / Double(small.peakBytes) - 1) * 100
      return ["× \(Self.rounded(large.seconds / small.seconds / factor))", "\(Int(more.rounded())) %"]
    }

    /// Goals are for stores of this size and larger ones: of smaller ones, starting takes a good part of the time.
    private static let leastObjects = 1_000_000

    /// Nil where no size that counts takes more than the goal.
    var missed: String? {
      let counted = comparisons.filter { $0.key == Results.only || $0.key >= Self.leastObjects }
      let worst = counted.values.compactMap(\.ratio).max() ?? 0
      guard worst > goal else { return nil }
      return "**\(job)**, \(Self.rounded(worst)) instead of \(Self.rounded(goal)): "
        + (profile.isEmpty ? "no profile was taken." : profile)
    }

    /// Those of the smallest size.
    var commands: [String] { comparisons.min { $0.key < $1.key }?.value.commands ?? [] }

    private static func ratio(_ comparison: Comparison) -> String {
      let ratio = comparison.ratio.map { "\(rounded($0)) " } ?? ""
      return "\(ratio)(\(time(comparison)))"
    }

    private static func rounded(_ number: Double) -> String { String((number * 100).rounded() / 100) }

    private static func time(_ comparison: Comparison) -> String {
      comparison.seconds < 0.1
        ? "\(rounded(comparison.seconds * 1000)) ms" : "\(rounded(comparison.seconds)) s"
    }

    private static func memory(_ comparison: Comparison) -> String {
      "\((comparison.peakBytes + 500_000) / 1_000_000)"
    }
  }

  let sizes: [Int]
  let rows: [Row]

  var markdown: String {
    let names = sizes.map { $0 < 1_000_000 ? "\(Double($0) / 1_000_000) M" : "\($0 / 1_000_000) M" }
    let head =
      ["job", "against"] + names + ["goal"] + names.map { "MB at \($0)" } + [
        "time per object", "memory",
      ]
    let lines = [head, head.indices.map { $0 < 2 ? "---" : "--:" }] + rows.map { $0.cells(sizes) }
    return lines.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
  }
}
