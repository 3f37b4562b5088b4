import Explanations
import Lens

extension Rule {
  static let eventExportFailing = Rule(about) { examination, findings in
    guard let events = try examination.mirror?.events else { return }
    let imports = events[.import]
    guard imports.lastSuccess != nil, imports.failure == nil else { return }
    findings.addRun(events.failures(of: .export), least: examination.setting("least", of: about))
  }
}

extension FindingCollector {
  /// The errors of a type of run, where those that don't pass by themselves come to so many failures.
  mutating func addRun(_ failures: [EventFailure], least: Double) {
    let lasting = failures.filter { !$0.last.resolvesItself }
    guard Double(lasting.reduce(0) { $0 + $1.count }) >= least else { return }
    for failure in lasting { add(failure) }
  }
}

private let about = RuleHeader(
  "event-export-failing", .error,
  title: "Exports fail while imports succeed",
  looksFor: """
    One finding per error with which exports ended since the last one that succeeded, where imports go on \
    succeeding.
    """,
  why: """
    The device shows what others do, so that sync seems to work, and yet nothing that is done here reaches them. \
    What isn't sent is lost with the device.
    """,
  nextLaunch: "The mirror exports the same changes again and, with the same cause, ends with the same error.",
  remedy: """
    Look the code up with 'storescope explain CODE', and see with 'storescope pending STORE' what stays unsent. A \
    partial failure hides its reason: the app's log has it, often a record type or field that the production \
    schema lacks.
    """,
  needs: [.table(.events)],
  falsePositives: """
    Errors that mean nothing (134407, 134417, 134419, 134422 and the like) and errors that pass by themselves, \
    such as throttling or a missing network, don't count. Where the newest import failed too, the rules of imports \
    and of the account speak instead.
    """,
  evidence: """
    App authors report it; Apple shows how to read the log: \
    https://developer.apple.com/documentation/technotes/tn3164-debugging-the-synchronization-of-nspersistentcloudkitcontainer
    """,
  message: """
    {runs} failed with {error} while imports succeeded, and none succeeded since {first}. {meaning}
    """,
  thresholds: [
    Threshold(
      "least", 3,
      """
      exports that failed without a success since, with whatever errors; a conflict or an interruption costs one \
      or two, and the next one makes up for it
      """)
  ])
