package import Rendering
import Values

/// The authors of a chart. An author has the same color in every report: the framework's own ones a fixed one, the app's
/// one that follows from the name, or the next that is free.
package enum AuthorSeries {
  static func isMigration(_ author: String?) -> Bool {
    author?.hasPrefix("com.apple.coredata.schemamigrator") == true
  }

  private static let fixed = [
    "NSCloudKitMirroringDelegate.import": 2, "NSCloudKitMirroringDelegate.export": 4,
    "NSCloudKitMirroringDelegate.setup": 5, "(no author)": 3,
  ]

  package static func inked(_ series: [CountChart.Series]) -> [CountChart.Series] {
    var inked = series.filter { !isMigration($0.label) }
    let migrations = series.filter { isMigration($0.label) }
    if let first = migrations.first {
      var all = CountChart.Series(migrations.count > 1 ? "schema migrations" : first.label, ink: .others)
      for one in migrations {
        all.counts.merge(one.counts) { $0 + $1 }
        all.undated += one.undated
      }
      inked.append(all)
    }
    var free = Set(0..<Ink.mostSeries).subtracting(inked.compactMap { fixed[$0.label] })
    for index in inked.indices where inked[index].ink == nil {
      guard let known = fixed[inked[index].label] else { continue }
      inked[index].ink = .series(known)
    }
    let others = inked.indices.filter { inked[$0].ink == nil }
      .sorted { (hash(inked[$0].label), inked[$0].label) < (hash(inked[$1].label), inked[$1].label) }
    for index in others {
      let wanted = Int(hash(inked[index].label) % UInt32(Ink.mostSeries))
      let order = (0..<Ink.mostSeries).map { (wanted + $0) % Ink.mostSeries }
      let color = order.first(where: free.contains) ?? wanted
      free.remove(color)
      inked[index].ink = .series(color)
    }
    return inked
  }

  /// FNV-1a, the same in every process: http://www.isthe.com/chongo/tech/comp/fnv/
  private static func hash(_ text: String) -> UInt32 {
    text.utf8.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
  }
}
