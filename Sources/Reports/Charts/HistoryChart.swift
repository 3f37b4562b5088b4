package import Lens
package import Rendering
package import StoreModel
import Values

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
