import Lens
import Values

extension Rule {
  static let importsOnlyAtLaunch = Rule(about) { examination, findings in
    guard let imports = try examination.mirror?.events.imports, let first = imports.first,
      let last = imports.last,
      let delay = imports.longestDelay, delay <= examination.setting("seconds", of: about),
      Double(imports.count) >= examination.setting("least", of: about)
    else { return }
    let days = (last.seconds - first.seconds) / 86_400
    guard days >= examination.setting("days", of: about) else { return }
    findings.add(
      subject: "imports",
      [
        .init("imports", .count(imports.count)), .init("first", .date(first)), .init("last", .date(last)),
        .init("days", .integer(Int64(clamping: days.rounded(.down)))),
      ])
  }
}

private let about = RuleHeader(
  "imports-only-at-launch", .info,
  title: "Imports happen only at launch",
  looksFor: """
    At least 'least' imports over at least 'days', every one of which began within 'seconds' of a setup.
    """,
  why: """
    While the app runs, a push announces changes from other devices, and the mirror imports them at once. If imports \
    happen only at launch, the pushes don't arrive: people see changes from other devices only after a restart of \
    the app.
    """,
  nextLaunch: "The next launch imports what has changed; the store is fine.",
  remedy: """
    Check the app's capabilities: push notifications, and background mode 'remote notifications'; the simulator gets no \
    pushes for iCloud on some Macs. On iOS 26.4.0 silent pushes don't arrive, and on 26.4.1 they do again, as one app \
    author reports. Nothing in the store needs repair.
    """,
  needs: [.table(.events)], log: .events,
  falsePositives: """
    An account with one device: there is nothing to import between launches. Apps that are never open for longer than a \
    minute.
    """,
  evidence: """
    App authors report it; that pushes are needed is documented by Apple: \
    https://developer.apple.com/documentation/coredata/setting-up-core-data-with-cloudkit
    """,
  message:
    "All {imports} imports in {days} {days:day|days} began right after a setup: changes from other devices arrive only at launch.",
  thresholds: [
    Threshold("days", 3, "days from the first import to the last; pushes may fail for a day or two"),
    Threshold("least", 5, "imports; with fewer, the app was hardly used"),
    Threshold(
      "seconds", 30,
      "seconds from the end of a setup to the beginning of an import; the first import follows at once"),
  ])
