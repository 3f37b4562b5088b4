import Base
import Explanations
import Lens
import Rendering
import Reports
import StoreModel

extension Command {
  static let events = Command(
    "events", summary: "setups, imports and exports, with their errors explained",
    options: [
      OptionDefinition(.failed, help: "only those that failed"),
      OptionDefinition(.at, value: "WHEN", kind: .date, help: "only in this minute or on this day"),
      OptionDefinition(.since, value: "WHEN", kind: .date, help: "only those that began then or later"),
      OptionDefinition(
        .until, value: "WHEN", kind: .date, help: "only those that began by then, or on that day"),
      OptionDefinition(.reverse, help: "reverse the order"), CommonOptions.offset, CommonOptions.chart,
    ],
    discussion: """
      Tables and Markdown list the newest first, the other formats the oldest first.
      WHEN is \(DateParser.examples).
      The framework keeps about 10,000 to 20,000 events. A finished event doesn't mean that everything is in sync, and an
      event that never ended usually means that the process died.

      Examples:
        storescope events App.store --failed --reverse
        storescope events App.store --since yesterday
        storescope events App.store --chart
      """,
    documents: [DocumentForm(payload: "events", eventFields.keys())]
  ) { invocation in
    let session = try invocation.store()
    let mirror = try session.open().mirror()
    // Damage is reported before anything is printed.
    _ = try mirror?.events
    let reader = mirror.map(EventReader.init)
    let absence = mirror?.tables.absence(of: .events).map { "\($0), so the mirror's runs are unknown." }
    let filter = try EventFilter(invocation)
    let isReversed = invocation.arguments.has(.reverse)
    func forEach(reversed: Bool = false, _ body: (MirrorEvent) throws -> Bool) throws {
      try reader?.forEach(reversed: reversed) { event in
        guard filter.includes(event) else { return true }
        invocation.progress.step("reading events")
        return try body(event)
      }
    }
    let count = { filter.isEmpty ? try reader?.count() ?? 0 : nil }
    let all = RowStream(MirrorEvent.fields, count: count) { sink in
      try forEach(reversed: isReversed) { try sink.push($0, MirrorEvent.fields) }
    }
    let list = RowStream(
      columns: ["type", "started", "seconds", "result"].map { .init($0) },
      emptyText: "(no events\(filter.period.words(invocation.dates)))", count: count
    ) { sink in
      // What an error means is said once.
      var explained: Set<String> = []
      try forEach(reversed: !isReversed) { event in
        sink.beginRow()
        sink.value(.text(event.typeName))
        sink.value(.optional(event.started))
        sink.value(event.seconds)
        let isNew = explained.count < mostExplained && explained.insert(event.result).inserted
        let meaning = isNew && event.hasFailed ? event.explanation?.meaning : nil
        sink.value(.text(meaning.map { "\(event.result). \($0)" } ?? event.result))
        return try sink.endRow()
      }
    }.withSentences().toTheMinute().leavingOut("seconds")
    let shown: Document.Block =
      switch (reader, absence) {
      case (nil, _): .text("This store is not mirrored, so it has no events.")
      case (_, let absence?): .text(absence)
      case _ where invocation.arguments.has(.chart):
        .chart {
          var chart = EventChart()
          try forEach { event in
            chart.add(event)
            return true
          }
          return .marks(chart.chart)
        }
      default: .table(list)
      }
    return Outcome(
      Document(
        command: "events", store: try session.identity(), payload: "events", eventFields, of: absence,
        rows: all, blocks: [.heading("Events"), shown]))
  }
}

/// What the document has, of the reason why events aren't known.
private let eventFields: [Field<String?>] = [
  Field("problem", "why they aren't known, if the mirror lacks the table") { $0 },
  Field("events", rows: MirrorEvent.shape, "setups, imports and exports"),
]

/// Which events are wanted.
private struct EventFilter {
  private let failedOnly: Bool
  let period: DateRange
  private var since: CoreDataDate? { period.since }
  private var until: CoreDataDate? { period.until }

  init(_ invocation: Invocation) throws {
    failedOnly = invocation.arguments.has(.failed)
    period = try invocation.period()
  }

  var isEmpty: Bool { !failedOnly && since == nil && until == nil }

  func includes(_ event: MirrorEvent) -> Bool {
    if failedOnly, !event.hasFailed { return false }
    guard since != nil || until != nil else { return true }
    guard let started = event.started else { return false }
    return since.map { $0 <= started } ?? true && until.map { started <= $0 } ?? true
  }
}

extension Command {
  /// A hostile store could have as many errors as events.
  private static let mostExplained = 1000
}

extension MirrorEvent {
  fileprivate var seconds: DataValue {
    guard let started, let ended else { return .null }
    return .real(((ended.seconds - started.seconds) * 10).rounded() / 10)
  }

  fileprivate var result: String {
    guard ended != nil else { return "never ended" }
    return succeeded
      ? "succeeded" : "failed: \(errorText ?? "no error recorded")\(isNoise ? " (harmless)" : "")"
  }
}
