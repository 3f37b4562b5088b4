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
