import Diagnostics
import Lens
import Rendering
import StoreModel
import Values

extension Command {
  static let doctor = Command(
    "doctor", summary: "what is wrong, how bad, what the next launch will do, and what to do",
    options: [
      OptionDefinition(
        .failOn, value: "SEVERITY", kind: .choice, choices: Severity.allCases.map(\.rawValue) + ["never"],
        help: "exit with 1 where a finding is so bad or worse (default: error)"),
      OptionDefinition(.rule, value: "ID", kind: .rule, isRepeatable: true, help: "check only this rule"),
      OptionDefinition(
        .set, value: "RULE.NAME=VALUE", kind: .threshold, isRepeatable: true,
        help: "another threshold; 'rules' shows them"),
      OptionDefinition(
        .baseline, value: "FILE", kind: .file, help: "only what is not in this baseline counts"),
      OptionDefinition(
        .writeBaseline, value: "FILE", kind: .file, help: "write what is found as a baseline"),
    ],
    discussion: """
      A finding says what was observed, never what is guessed; what can't be checked is skipped, with the reason. Ages
      are counted back from the newest time stamp in the store. --limit is for the objects that a finding names.
      Exit code: 0, or 1 where something at or above --fail-on was found.

      Examples:
        storescope doctor App.store
        storescope doctor App.store --format sarif > storescope.sarif
        storescope doctor App.store --write-baseline sins.json
        storescope doctor App.store --baseline sins.json --fail-on warning
        storescope doctor App.store --rule history-bloat --set history-bloat.days=30
      """,
    formats: Format.common + [.sarif, .junit]
  ) { invocation in
    let session = try invocation.store()
    let arguments = invocation.arguments
    let settings = try DoctorArguments.settings(arguments.all(.set))
    var doctor = Doctor(
      rules: try DoctorArguments.rules(arguments.all(.rule)), limit: try invocation.limit() ?? 100)
    if let path = arguments[.writeBaseline] { try StoreFileGuard.check(path, keeping: session.path) }
    if let path = arguments[.baseline] { doctor.baseline = try DoctorArguments.baseline(path) }
    doctor.progress = { text in invocation.progress.step(text) }
    let diagnosis = try doctor.examine(Examination(session.open(), settings: settings))
    if let path = arguments[.writeBaseline] {
      try DoctorArguments.write(Baseline(diagnosis), to: path, keeping: session.path)
      invocation.note("the baseline is written to \(path)")
    }
    let failsAt = arguments[.failOn].map(Severity.init(rawValue:)) ?? .error
    let report = DoctorDocument(diagnosis, rules: doctor.rules, failsAt: failsAt)
    return Outcome(try report.document(session.identity()), exitCode: report.hasFailed ? 1 : 0)
  }
}
