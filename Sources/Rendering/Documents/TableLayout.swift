/// Which columns of a table are shown on a terminal, and how wide.
///
/// A row that is too wide has its widest columns narrowed, each down to the least that is of use; what is too wide even
/// then loses its least important columns.
struct TableLayout: Equatable {
  struct Column: Equatable {
    /// The width of its widest cell.
    var natural: Int
    /// Narrower it is of no use.
    var least: Int
    /// The higher, the sooner it is left out; 0 and the same for all leaves out the last ones.
    var rank = 0
    var isRequired = false
    /// It shows nothing: it is left out before any other is narrowed.
    var isEmpty = false
  }

  /// Indices of the columns that are shown, in their order.
  var shown: [Int]
  /// Of those.
  var widths: [Int]

  static let gap = 2

  /// Everything at its natural width.
  init(whole columns: [Column]) {
    shown = Array(columns.indices)
    widths = columns.map(\.natural)
  }

  /// Of a line.
  var width: Int { widths.reduce(0, +) + Self.gap * max(0, widths.count - 1) }

  /// - Returns: nil where not even the required columns fit.
  init?(_ columns: [Column], into available: Int) {
    func taken(_ widths: [Int]) -> Int { widths.reduce(0, +) + Self.gap * max(0, widths.count - 1) }
    var left = columns.indices.filter { !columns[$0].isRequired }
      .sorted { (columns[$0].rank, $0) < (columns[$1].rank, $1) }
    var isShown = columns.map { _ in true }
    var excess = taken(columns.map(\.natural)) - available
    while excess > 0, let next = left.last, columns[next].isEmpty {
      left.removeLast()
      isShown[next] = false
      excess -= columns[next].natural + Self.gap
    }
    excess = taken(columns.indices.filter { isShown[$0] }.map { columns[$0].least }) - available
    while excess > 0 {
      guard let next = left.popLast() else { return nil }
      isShown[next] = false
      excess -= columns[next].least + Self.gap
    }
    shown = columns.indices.filter { isShown[$0] }
    widths = shown.map { columns[$0].natural }
    excess = taken(widths) - available
    while excess > 0 {
      let wide = shown.indices.filter { widths[$0] > columns[shown[$0]].least }
      guard let widest = wide.max(by: { widths[$0] < widths[$1] }) else { return nil }
      let least = columns[shown[widest]].least
      let second = wide.filter { $0 != widest && widths[$0] < widths[widest] }.map { widths[$0] }.max() ?? 0
      let step = min(excess, max(1, widths[widest] - max(second, least)))
      widths[widest] -= step
      excess -= step
    }
  }
}
