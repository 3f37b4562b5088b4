import Explanations
import Lens
import Values

extension Rule {
  static let eventThrottled = Rule(about) { examination, findings in
    guard let events = try examination.mirror?.events else { return }
    let least = examination.setting("least", of: about)
    func bursts(_ failures: (MirrorEvent.Kind) -> [EventFailure]) -> [EventFailure] {
      MirrorEvent.Kind.allCases.map(failures).filter {
        Double($0.reduce(0) { $0 + $1.unresolved }) >= least
      }.flatMap(\.self)
    }
    let lasting = bursts { events.unresolved($0).filter { $0.last.concern == .throttling } }
    for failure in lasting {
      let beginning = since(" since", failure.since)
      findings.add(failure, [.init("more", .text("\(beginning), and none has succeeded"))])
    }
    guard lasting.isEmpty else { return }
    findings.severity = .info
    for failure in bursts(events.pastThrottling) {
      findings.add(failure, [.init("more", .text(since(" until one succeeded after", failure.last)))])
    }
  }

  private static func since(_ words: String, _ event: MirrorEvent?) -> String {
    "\(words) \(event?.moment?.iso8601 ?? "an unknown time")"
  }
}

private let about = RuleHeader(
  """
  Rule: event-throttled
  Severity: warning
  Title: CloudKit is throttling the app
  Shows: Runs that ended with CKErrorDomain 6 or 7 several times in a row: one finding per type of run and error. It
    is a warning as long as none of that type has succeeded since, otherwise a note about the last long series.
  Why: The server asks the app to wait, and nothing syncs until then. App authors saw it after bursts of thousands
    of changes, with pauses of more than an hour.
  Next launch: The mirror tries again; relaunching the app again and again prolongs the wait.
  Remedy: Wait, for hours if necessary; the store itself needs no repair. Then find the cause of so many requests:
    the rules history-update-loop and history-oversized-transaction report it.
  Needs: ANSCKEVENT
  Log: ANSCKEVENT
  False positives: A success of the same type makes it a note. CKErrorDomain 6 also comes from outages at Apple,
    which the app didn't cause.
  Evidence: App authors report the bursts and the pauses. The codes are documented by Apple:
    https://developer.apple.com/documentation/cloudkit/ckerror/code/requestratelimited
  Message: {runs} failed with {error}{more}. {meaning}
  Param least: runs of one type rejected with either code without a success in between; one or two are normal when
    the server is busy, default 3
  """)
