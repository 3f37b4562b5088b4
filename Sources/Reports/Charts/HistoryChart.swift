package import Lens
package import Rendering
package import StoreModel
import Values

/// Changes in the course of time, one series for each value of a dimension.
package enum HistoryChart {
  /// - Parameter step: called for each change, with what is being done.
  package static func make(
    _ reader: HistoryReader, by dimension: HistoryGroup.Dimension, _ filter: HistoryFilter,
    in store: CoreDataStore, step: (String) -> Void
  ) throws -> CountChart {
    var series: [String?: CountChart.Series] = [:]
    try reader.forEachChange(filter) { change in
      step("counting changes")
      let key = key(of: change, dimension, in: store)
      let hour = change.transaction?.timestamp?.hour
      if let hour {
        series[key, default: .init(label(key, dimension))].counts[hour, default: 0] += 1
      } else {
        series[key, default: .init(label(key, dimension))].undated += 1
      }
      return true
    }
    let ordered = series.sorted { one, other in
      guard let key = one.key else { return false }
      return other.key.map { key < $0 } ?? true
    }
    return CountChart(subject: "Changes", series: ordered.map(\.value))
  }

  private static func key(
    of change: HistoryReader.Change, _ dimension: HistoryGroup.Dimension, in store: CoreDataStore
  ) -> String? {
    switch dimension {
    case .author: change.transaction?.author
    case .process: change.transaction?.process
    case .bundle: change.transaction?.bundle
    case .context: change.transaction?.context
    case .entity: store.entityName(ofNumber: change.entity)
    // Time is the axis: there is nothing to split by.
    case .day: nil
    }
  }

  private static func label(_ key: String?, _ dimension: HistoryGroup.Dimension) -> String {
    key ?? "(no \(dimension.rawValue))"
  }
}
