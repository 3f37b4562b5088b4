import Base
package import Lens
package import Rendering
package import StoreModel

/// Changes in the course of time, one series for each value of a dimension.
package enum HistoryChart {
  /// - Parameters:
  ///   - named: how a value of the dimension is called.
  ///   - step: called for each change, with what is being done.
  package static func make(
    _ reader: HistoryReader, by dimension: HistoryGroup.Dimension, _ filter: HistoryFilter,
    in store: CoreDataStore, named: (String?) -> String? = { $0 }, step: (String) -> Void
  ) throws -> CountChart {
    var series: [String?: CountChart.Series] = [:]
    try reader.forEachChange(filter, reading: []) { cursor, transaction in
      step("counting changes")
      let key = key(of: cursor.change, transaction, dimension, in: store)
      let hour = transaction?.timestamp?.hour
      if let hour {
        series[key, default: .init(label(named(key), dimension))].counts[hour, default: 0] += 1
      } else {
        series[key, default: .init(label(named(key), dimension))].undated += 1
      }
      return true
    }
    let ordered = series.sorted { one, other in
      guard let key = one.key else { return false }
      return other.key.map { key < $0 } ?? true
    }
    return CountChart(of: "change", series: ordered.map(\.value))
  }

  private static func key(
    of change: HistoryChange, _ transaction: HistoryTransaction?, _ dimension: HistoryGroup.Dimension,
    in store: CoreDataStore
  ) -> String? {
    switch dimension {
    case .author: transaction?.author
    case .process: transaction?.process
    case .bundle: transaction?.bundle
    case .context: transaction?.context
    case .entity: store.entityName(ofNumber: change.entity ?? 0)
    // Time is the axis: there is nothing to split by.
    case .day: nil
    }
  }

  private static func label(_ key: String?, _ dimension: HistoryGroup.Dimension) -> String {
    key ?? "(no \(dimension.rawValue))"
  }
}

/// The authors of a chart. The framework's own ones have a fixed color, the app's one that follows from the name, or the
/// next that is free if another drawn author has that. Nobody shares a color.
package enum AuthorSeries {
  static func isMigration(_ author: String?) -> Bool {
    author?.hasPrefix("com.apple.coredata.schemamigrator") == true
  }

  private static let fixed = [
    "NSCloudKitMirroringDelegate.import": 2, "NSCloudKitMirroringDelegate.export": 4,
    "NSCloudKitMirroringDelegate.setup": 5, "(no author)": 3,
  ]

  /// The chart with all migrations as one, the smallest of too many series as one, and a color for each.
  package static func drawn(_ chart: CountChart) -> CountChart {
    var drawn = chart
    drawn.series.removeAll { isMigration($0.label) }
    let migrations = chart.series.filter { isMigration($0.label) }
    if let first = migrations.first {
      var all = CountChart.Series(migrations.count > 1 ? "schema migrations" : first.label, ink: .others)
      for one in migrations {
        all.counts.merge(one.counts) { $0 + $1 }
        all.undated += one.undated
      }
      drawn.series.append(all)
    }
    // What isn't drawn takes no color.
    drawn.series = drawn.largest
    ink(&drawn.series)
    return drawn
  }

  private static func ink(_ series: inout [CountChart.Series]) {
    var free = Set(0..<Ink.mostSeries).subtracting(series.compactMap { fixed[$0.label] })
    for index in series.indices where series[index].ink == nil {
      guard let known = fixed[series[index].label] else { continue }
      series[index].ink = .series(known)
    }
    let others = series.indices.filter { series[$0].ink == nil }
      .sorted { (hash(series[$0].label), series[$0].label) < (hash(series[$1].label), series[$1].label) }
    for index in others {
      let wanted = Int(hash(series[index].label) % UInt32(Ink.mostSeries))
      let color = (0..<Ink.mostSeries).map { (wanted + $0) % Ink.mostSeries }.first(where: free.contains)
      series[index].ink = color.map(Ink.series) ?? .others
      if let color { free.remove(color) }
    }
  }

  /// FNV-1a, the same in every process: http://www.isthe.com/chongo/tech/comp/fnv/
  private static func hash(_ text: String) -> UInt32 {
    text.utf8.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
  }
}
