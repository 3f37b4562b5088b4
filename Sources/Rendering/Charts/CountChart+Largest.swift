extension CountChart {
  /// The largest series in their order, all others as one behind them: so many in all.
  func largest(_ most: Int) -> [Series] {
    guard series.count > most else { return series }
    let sums = series.map { ChartText.sum($0.counts.values) }
    let order = series.indices.sorted { sums[$0] == sums[$1] ? $0 < $1 : sums[$0] > sums[$1] }
    let kept = order.prefix(most - 1).sorted()
    var others = Series("(\(series.count - kept.count) others)")
    for index in order.dropFirst(most - 1) {
      others.counts.merge(series[index].counts) { ChartText.sum([$0, $1]) }
    }
    return kept.map { series[$0] } + [others]
  }
}
