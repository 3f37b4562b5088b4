import CloudKitMirror
import Rendering
import Values

/// `events --chart`: a line for each type of event.
enum EventChart {
  static func block(_ reader: EventReader, failedOnly: Bool, _ progress: Progress) -> Document.Block {
    .chart {
      var lines = MirrorEvent.Kind.allCases.map { MarkChart.Line($0.name) }
      var unknown = MarkChart.Line("unknown")
      try reader.forEach { event in
        guard !failedOnly || event.hasFailed else { return true }
        progress.step("reading events")
        let hour = event.moment?.hour
        if let index = event.kind.flatMap(MirrorEvent.Kind.allCases.firstIndex) {
          lines[index].add(mark(event), hour: hour)
        } else {
          unknown.add(mark(event), hour: hour)
        }
        return true
      }
      if !unknown.counts.isEmpty { lines.append(unknown) }
      return .marks(MarkChart(subject: "Events", lines: lines))
    }
  }

  private static func mark(_ event: MirrorEvent) -> MarkChart.Mark {
    guard event.ended != nil else { return .open }
    if event.succeeded { return .succeeded }
    return event.isNoise ? .noise : .failed
  }
}
