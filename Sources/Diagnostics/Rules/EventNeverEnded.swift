import Evidence
import Lens
import Values

extension Rule {
  static let eventNeverEnded = Rule(about) { examination, findings in
    guard let mirror = examination.mirror else { return }
    let seconds = examination.setting("minutes", of: about) * 60
    // Another storescope runs no mirror.
    let holder = examination.opened?.holder.flatMap { $0.isOurs ? nil : $0.description }
    for event in try mirror.events.unfinished {
      guard let started = event.started, examination.clock.lastSign.seconds - started.seconds > seconds else {
        continue
      }
      let row = event.primaryKey
      findings.add(
        subject: event.id ?? "\(row)",
        [
          .init("id", .optional(event.id)), .init("type", .text(event.typeName)),
          .init("started", .date(started)), .init("pk", .integer(row)), .init("holder", .text(holder ?? "")),
          .init("more", .text(holder == nil ? "" : "; the last one may still be running in ")),
        ])
    }
  }
}

private let about = RuleHeader(
  "event-never-ended", .info,
  title: "Mirror runs that never finished",
  looksFor: """
    A setup, import or export that started long before the newest timestamp in the store and never finished.
    """,
  why: """
    The process ended while the mirror was working: the app was quit, killed or crashed, or its background time ran out. The \
    mirror repeats the work; many such rows mean that it never finishes.
    """,
  nextLaunch: """
    The rows stay as they are; the framework never completes them. The work itself starts over.
    """,
  remedy: """
    Ignore occasional ones. If they are frequent, give the app time to finish before it is suspended, and look for \
    crash reports from those times. 'storescope repair STORE clear-events' empties the log.
    """,
  needs: [.table(.events)], log: .events,
  falsePositives: """
    A run that started shortly before the newest timestamp may still have been running when the file was copied, so it isn't \
    counted. A first import of a large library may take longer. If a process has the store open, the evidence names it: that \
    can be a daemon while the app is closed.
    """,
  evidence: "App authors report it.",
  message: """
    {count} {setup, import or export|setups, imports or exports} never finished, such as {type} at {started}{more}{holder}.
    """,
  thresholds: [
    Threshold(
      "minutes", 30,
      "minutes from a run's start to the newest timestamp in the store; runs take seconds, and large first imports up to half an hour"
    )
  ])
