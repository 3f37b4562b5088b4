import CloudKitMirror
import Rendering
import Values

/// `pending --chart`: what waits, by kind and by age.
enum PendingCharts {
  static func blocks(_ reader: PendingReader, _ mirror: Mirror, _ progress: Progress) -> [Document.Block] {
    let counts = reader.counts
    let kinds = BarChart(
      title: "By kind",
      bars: [
        .init("upload", counts.uploads), .init("cloudDelete", counts.cloudDeletes),
        .init("link", counts.links),
        .init("linkDelete", counts.linkDeletes), .init("share", counts.shares),
        .init("moveReceipt", counts.moveReceipts), .init("unanalyzed", counts.unanalyzed),
        .init("unregistered", counts.unregistered),
      ].filter { $0.count > 0 })
    return [.chart { .bars(kinds) }, .text(""), .chart { .bars(try ages(reader, mirror, progress)) }]
  }

  private static let limits: [(name: String, days: Double)] = [
    ("up to an hour", 1.0 / 24), ("up to a day", 1), ("up to a week", 7), ("up to a month", 30),
    ("up to a year", 365), ("longer", .infinity),
  ]

  /// Counted back from the newest time stamp of the mirror's or of what waits, so that a store in an old bug report
  /// looks as it did then.
  private static func ages(_ reader: PendingReader, _ mirror: Mirror, _ progress: Progress) throws -> BarChart
  {
    var dates: [CoreDataDate] = []
    var undated = 0
    try reader.forEach { item in
      progress.step("listing what waits")
      if let since = item.since { dates.append(since) } else { undated += 1 }
      return true
    }
    let newest = (dates + [mirror.events.last].compactMap { $0 }).max()
    var counts = [Int](repeating: 0, count: limits.count)
    for date in dates {
      let days = ((newest ?? date).seconds - date.seconds) / 86_400
      counts[limits.firstIndex { days <= $0.days } ?? limits.count - 1] += 1
    }
    let bars = zip(limits, counts).map { BarChart.Bar($0.name, $1) } + [.init("not known", undated)]
    return BarChart(title: "By age", bars: bars.filter { $0.count > 0 })
  }
}
