import Diagnostics
import Lens
import Rendering
import SQLite
import StoreModel
import SystemCalls
import Values

extension Command {
  static let doctor = Command(
    "doctor", summary: "check for problems: severity, effect at the next launch, fix",
    options: [
      OptionDefinition(
        .failOn, value: "SEVERITY", kind: .choice, choices: Severity.allCases.map(\.rawValue) + ["never"],
        help: "exit with 1 if any finding is at least this severe (default: error)"),
      OptionDefinition(.rule, value: "ID", kind: .rule, isRepeatable: true, help: "check only this rule"),
      OptionDefinition(
        .set, value: "RULE.NAME=VALUE", kind: .threshold, isRepeatable: true,
        help: "override a threshold (see 'rules')"),
      OptionDefinition(
        .thorough, help: "run SQLite's full integrity check, which compares indexes with tables"),
      OptionDefinition(
        .baseline, value: "FILE", kind: .file, help: "count only what isn't in this baseline"),
      OptionDefinition(
        .writeBaseline, value: "FILE", kind: .file, help: "write the findings as a baseline"),
    ],
    discussion: """
      The first sentence is the conclusion. Notes are one line each; --verbose explains
      every finding: why it matters, what the next launch does, how certain that is, and the
      evidence. Nothing is guessed: what can't be checked is skipped, with the reason.
      Ages are counted back from the newest timestamp in the store. --limit caps the
      objects and evidence per finding in JSON.
      Exit code: 0, or 1 if something at or above --fail-on was found.

      Examples:
        storescope doctor App.store
        storescope doctor App.store --verbose --rule history-bloat
        storescope doctor App.store --thorough
        storescope doctor App.store --format sarif > storescope.sarif
        storescope doctor App.store --write-baseline findings.json
        storescope doctor App.store --baseline findings.json --fail-on warning
        storescope doctor App.store --set history-bloat.days=30
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
    let open = try session.open()
    var phase = "opening the store"
    doctor.progress = { text in
      phase = text
      invocation.progress.step(text)
    }
    // One statement may take minutes, as the integrity check of a large store does.
    open.connection.onProgress(everyInstructions: 100_000) {
      invocation.progress.phase(phase)
      return !Interruption.isWatched || !Interruption.isRequested
    }
    let diagnosis = try doctor.examine(
      Examination(open, settings: settings, isThorough: arguments.has(.thorough)))
    if let path = arguments[.writeBaseline] {
      try DoctorArguments.write(Baseline(diagnosis), to: path, keeping: session.path)
      invocation.note("wrote the baseline to \(path)")
    }
    let isWhole = arguments.all(.rule).isEmpty
    let conclusion = Conclusion(
      diagnosis, isWhole ? try DoctorArguments.mirror(of: open) : nil, isWhole: isWhole)
    let failsAt = arguments[.failOn].map(Severity.init(rawValue:)) ?? .error
    let report = DoctorDocument(
      diagnosis, rules: doctor.rules, failsAt: failsAt, conclusion: conclusion.text,
      isVerbose: invocation.isVerbose,
      wording: CommandWording(place: invocation.isInShell ? .shell : .program, store: session.path),
      titles: FindingTitles(open.store), dates: invocation.dates)
    return Outcome(try report.document(session.identity()), exitCode: report.hasFailed ? 1 : 0)
  }
}
