package import Base
package import Lens
package import Rendering

/// Setups, imports and exports in the course of time: a line for each type.
package struct EventChart {
  private var lines = MirrorEvent.Kind.allCases.map { MarkChart.Line($0.name) }
  private var unknown = MarkChart.Line("unknown")

  package init() {}

  package mutating func add(_ event: MirrorEvent) {
    let hour = event.moment?.hour
    if let index = event.kind.flatMap(MirrorEvent.Kind.allCases.firstIndex) {
      lines[index].add(event.mark, hour: hour, note: event.note)
    } else {
      unknown.add(event.mark, hour: hour, note: event.note)
    }
  }

  package var chart: MarkChart {
    MarkChart(subject: "Events", lines: lines + (unknown.counts.isEmpty ? [] : [unknown]))
  }
}

extension MirrorEvent {
  /// How it went, as charts show it.
  package var mark: MarkChart.Mark {
    guard ended != nil else { return .open }
    if succeeded { return .succeeded }
    return isNoise ? .noise : .failed
  }

  /// When it began, and the error: `2026-04-15 19:20:11Z CKErrorDomain 25 (quotaExceeded)`.
  fileprivate var note: String {
    let moment = moment.map(DateText().second)
    let error = hasFailed ? errorText ?? errorDomain ?? "no error recorded" : nil
    return [moment, error].compactMap(\.self).joined(separator: " ")
  }
}

/// What is pending, by entity and by how long. Counted back from the newest timestamp of the mirror's or of what is pending, so
/// that a store in an old bug report looks as it did then.
package struct PendingAges {
  private static let limits: [(name: String, days: Double)] = [
    ("up to an hour", 1.0 / 24), ("up to a day", 1), ("up to a week", 7), ("up to a month", 30),
    ("up to a year", 365), ("longer", .infinity),
  ]
  private static let unknown = "not known"

  /// From the shortest on, and the unknown one last.
  package static let names = limits.map(\.name) + [unknown]

  /// The same with the color of each.
  package static let kinds = zip(names, (0..<limits.count).map(Ink.step) + [.others]).map {
    BarChart.Kind($0, $1)
  }

  /// The place in `names` of an age in seconds; nil if it isn't known.
  package static func step(_ age: Double?) -> Int {
    guard let age else { return limits.count }
    return limits.firstIndex { age / 86_400 <= $0.days } ?? limits.count - 1
  }

  private var dates: [String: [CoreDataDate]] = [:]
  private var undated: [String: Int] = [:]
  package private(set) var oldest: CoreDataDate?
  private var newest: CoreDataDate?

  /// - Parameter until: the newest timestamp of the mirror's.
  package init(until: CoreDataDate? = nil) { newest = until }

  package mutating func add(_ item: PendingItem) {
    // Shares and moves are of a zone.
    let entity = item.entity ?? "(no entity)"
    guard let since = item.since else {
      undated[entity, default: 0] += 1
      return
    }
    dates[entity, default: []].append(since)
    oldest = min(oldest ?? since, since)
    newest = max(newest ?? since, since)
  }

  /// Entity by entity, sorted by name: how many there are of each age, in the order of `names`.
  package var byEntity: [(entity: String, counts: [Int])] {
    Set(dates.keys).union(undated.keys).sorted().map { entity in
      var counts = [Int](repeating: 0, count: Self.names.count)
      for date in dates[entity] ?? [] {
        counts[Self.step((newest ?? date).seconds - date.seconds)] += 1
      }
      counts[counts.count - 1] = undated[entity] ?? 0
      return (entity, counts)
    }
  }

  /// All entities together.
  package var chart: BarChart {
    let rows = byEntity
    let bars = Self.names.enumerated().map { index, name in
      BarChart.Bar(name, rows.reduce(0) { $0 + $1.counts[index] })
    }
    return BarChart(title: "By age", bars: bars.filter { $0.sum > 0 })
  }
}
