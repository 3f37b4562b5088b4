import Explanations
import Lens
import Values

extension Rule {
  static let eventExportFailing = Rule(about) { examination, findings in
    guard let events = try examination.mirror?.events else { return }
    let imports = events[.import]
    guard imports.lastSuccess != nil, imports.failure == nil else { return }
    findings.addRun(events.failures(of: .export), least: examination.setting("least", of: about)) { failure in
      let isAfter = imports.lastSuccess.map { $0.primaryKey > failure.first.primaryKey } ?? false
      let last = imports.lastSuccess?.moment
      let at = last?.iso8601.map { " at \($0)" } ?? ""
      return [
        .init("lastImport", .optional(last)),
        .init(
          "how",
          .text(isAfter ? "imports succeed, the last\(at)" : "no import has succeeded since the one\(at)")),
      ]
    }
  }
}

extension FindingCollector {
  /// The errors of a type of run, if the errors that don't resolve themselves add up to that many failures.
  /// - Parameter more: what the rule knows of one of them.
  mutating func addRun(
    _ failures: [EventFailure], least: Double, more: (EventFailure) -> [DataValue.Member] = { _ in [] }
  ) {
    let lasting = failures.filter { !$0.last.resolvesItself }
    guard Double(lasting.reduce(0) { $0 + $1.count }) >= least else { return }
    for failure in lasting { add(failure, more(failure)) }
  }
}

private let about = RuleHeader(
  "event-export-failing", .error,
  title: "Exports fail",
  looksFor: """
    Exports that failed since the last successful one, while the newest import succeeded: one finding per error.
    """,
  why: """
    No change made here reaches other devices, and pending changes are lost with this one. While imports succeed, the \
    device shows other devices' changes, so sync seems to work.
    """,
  nextLaunch: "The mirror exports the same changes again and, with the same cause, ends with the same error.",
  remedy: """
    Look the code up with 'storescope explain CODE', and list the pending changes with 'storescope pending \
    STORE'. A partial failure doesn't record its cause: the app's log has it, often a record type or field \
    that the production schema lacks.
    """,
  needs: [.table(.events)], log: .events,
  falsePositives: """
    Harmless errors (134407, 134417, 134419, 134422 and similar) and errors that resolve themselves, such as \
    throttling or a missing network, don't count. If the newest import failed too, the rules for imports and \
    for the account report it instead.
    """,
  evidence: """
    App authors report it; Apple shows how to read the log: \
    https://developer.apple.com/documentation/technotes/tn3164-debugging-the-synchronization-of-nspersistentcloudkitcontainer
    """,
  message: """
    {runs} failed with {error} since {first}, and none has succeeded; {how}. {meaning}
    """,
  thresholds: [
    Threshold(
      "least", 3,
      """
      exports that failed, with any error, without a success since; a conflict or an interruption causes one \
      or two failures, and the next export makes up for them
      """)
  ])
