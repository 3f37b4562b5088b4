package import Lens
package import Rendering
import Values

/// Setups, imports and exports in the course of time: a line for each type.
package struct EventChart {
  private var lines = MirrorEvent.Kind.allCases.map { MarkChart.Line($0.name) }
  private var unknown = MarkChart.Line("unknown")

  package init() {}

  package mutating func add(_ event: MirrorEvent) {
    let hour = event.moment?.hour
    if let index = event.kind.flatMap(MirrorEvent.Kind.allCases.firstIndex) {
      lines[index].add(event.mark, hour: hour)
    } else {
      unknown.add(event.mark, hour: hour)
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
}
