import Lens
import Rendering
import Reports
import StoreModel

/// `--chart` of the commands that can draw, made when it is printed.
enum CommandCharts {
  static func history(
    _ reader: HistoryReader, by dimension: HistoryGroup.Dimension, _ filter: HistoryFilter,
    in store: CoreDataStore, _ progress: Progress
  ) -> Document.Block {
    .chart {
      .counts(
        try HistoryChart.make(reader, by: dimension, filter, in: store) { progress.step($0) })
    }
  }

  static func events(_ reader: EventReader, failedOnly: Bool, _ progress: Progress) -> Document.Block {
    .chart {
      var events = EventChart()
      try reader.forEach { event in
        progress.step("reading events")
        if !failedOnly || event.hasFailed { events.add(event) }
        return true
      }
      return .marks(events.chart)
    }
  }

  static func pending(_ reader: PendingReader, _ mirror: Mirror, _ progress: Progress) -> [Document.Block] {
    let counts = reader.counts
    let kinds = BarChart(
      title: "By kind",
      bars: PendingItem.Kind.allCases.map { .init($0.rawValue, counts[$0, default: 0]) }.filter {
        $0.count > 0
      })
    return [
      .chart { .bars(kinds) }, .text(""),
      .chart {
        var ages = try PendingAges(mirror)
        try reader.forEach { item in
          progress.step("listing what waits")
          ages.add(item)
          return true
        }
        return .bars(ages.chart)
      },
    ]
  }
}
