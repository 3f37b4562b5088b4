import Base
package import Lens
package import Rendering
package import StoreModel

/// History by author and over time.
package struct HistoryFacts {
  package var summary: HistorySummary
  package var groups: [HistoryGroup]
  package var chart: CountChart

  package init?(_ store: CoreDataStore, _ privacy: ReportPrivacy, progress: @escaping (String) -> Void) throws
  {
    guard let summary = try HistorySummary(store, FrameworkTables(store.tables)),
      let reader = try HistoryReader(store)
    else { return nil }
    self.summary = summary
    groups = try reader.groups(by: .author, entityName: store.entityName(ofNumber:)) { count in
      progress("counting changes: \(count)")
    }
    for index in groups.indices {
      groups[index].key = privacy.mask(groups[index].key, .author)
      groups[index].bundles = Set(groups[index].bundles.map { privacy.mask($0, .program) })
      groups[index].processes = Set(groups[index].processes.map { privacy.mask($0, .program) })
      groups[index].contexts = Set(groups[index].contexts.map { privacy.mask($0, .author) })
    }
    // As in a copy: the order says nothing of a name that isn't shown.
    groups.sort { one, other in
      guard let key = one.key else { return false }
      return other.key.map { key < $0 } ?? true
    }
    chart = try HistoryChart.make(
      reader, by: .author, HistoryFilter(), in: store, named: { privacy.mask($0, .author) }, step: progress)
  }

  /// By author, with all schema migrations as one: each has an author of its own, with a digest in its name.
  var authors: [HistoryGroup] {
    var authors: [HistoryGroup] = []
    var migrations: HistoryGroup?
    var count = 0
    for group in groups {
      guard AuthorSeries.isMigration(group.key) else {
        authors.append(group)
        continue
      }
      count += 1
      migrations = migrations.map { $0.merged(with: group) } ?? group
    }
    if var migrations {
      if count > 1 { migrations.key = "schema migrations (\(Sentence.number(count)))" }
      authors.append(migrations)
    }
    return authors
  }

  /// The chart as it is drawn; `chart` has every author.
  var picture: CountChart { AuthorSeries.drawn(chart) }

  /// Programs that wrote to the store.
  var programs: [String] { Set(groups.flatMap(\.bundles)).sorted() }

  /// Nil for a store without history.
  static let fields: [Field<Self?>] = Field.list(
    HistorySummary.fields.of { $0?.summary },
    [
      Field("byAuthor", .list(.object(authorFields.keys())), "changes by author") {
        ($0?.groups ?? []).map(authorFields.object)
      },
      Field("changesByDay", .list(.object(dayFields.keys())), "changes by day and author") {
        ($0?.days ?? []).map(dayFields.object)
      },
    ])

  private static let authorFields = HistoryGroup.fields("author", "the author; null for none")

  private typealias Day = (day: String?, changes: [DataValue.Member])
  private static let dayFields: [Field<Day>] = [
    Field("day", "the day in UTC") { $0.day },
    Field("changes", .map(.integer), "changes by author") { DataValue.object($0.changes) },
  ]

  private var days: [Day] {
    let counts = chart.series.map { series in
      series.counts.reduce(into: [Int64: Int]()) { counts, hour in
        counts[TimeAxis.floor(hour.key, 24), default: 0] += hour.value
      }
    }
    return Set(counts.flatMap(\.keys)).sorted().map { day in
      let date = CoreDataDate(unixSeconds: Double(day) * 86_400).iso8601.map { String($0.prefix(10)) }
      return (
        date,
        zip(chart.series, counts).compactMap { series, counts in
          counts[day].map { .init(series.label, .count($0)) }
        }
      )
    }
  }
}

extension HistoryGroup {
  fileprivate func merged(with other: HistoryGroup) -> HistoryGroup {
    var merged = self
    merged.transactions += other.transactions
    merged.changes += other.changes
    merged.first = [first, other.first].compactMap(\.self).min()
    merged.last = [last, other.last].compactMap(\.self).max()
    merged.bundles.formUnion(other.bundles)
    merged.processes.formUnion(other.processes)
    merged.contexts.formUnion(other.contexts)
    return merged
  }
}
