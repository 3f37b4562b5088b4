import Diagnostics
import Rendering
import Values

extension Command {
  static let doctor = Command(
    "doctor", summary: "check for problems, with what the next launch does and the fix",
    takesSeveralStores: true,
    options: [
      OptionDefinition(
        .failOn, value: "SEVERITY", kind: .choice,
        choices: Severity.allCases.map(\.rawValue) + ["note", "never"],
        help: "exit with 1 if any finding is at least this severe (default: error)"),
      OptionDefinition(.rule, value: "ID", kind: .rule, isRepeatable: true, help: "check only this rule"),
      OptionDefinition(
        .set, value: "RULE.NAME=VALUE", kind: .threshold, isRepeatable: true,
        help: "override a threshold (see 'rules')"),
      OptionDefinition(
        .thorough, help: "run SQLite's full integrity check, which compares indexes with tables"),
      OptionDefinition(
        .validate, help: "check values against the rules that saves enforce (errors 1550 to 1680)"),
      OptionDefinition(
        .assumeCloudKit,
        help: "check the model against CloudKit's rules, even if the store isn't mirrored yet"),
      OptionDefinition(
        .baseline, value: "FILE", kind: .file, help: "count only what isn't in this baseline"),
      OptionDefinition(
        .writeBaseline, value: "FILE", kind: .file, help: "write the findings as a baseline"),
    ],
    discussion: """
      The first sentence is the conclusion. Notes are one line each; --verbose explains
      every finding: why it matters, what the next launch does, how certain that is, and the
      evidence. Nothing is guessed: what can't be checked is skipped, with the reason.
      Ages are counted back from the newest timestamp in the store. --limit is how many
      objects and pieces of evidence are listed per finding (5, in JSON 100).

      Several stores are checked one after the other, and a last line sums them up. One that
      can't be read doesn't stop the others. In JSON 'stores' then has an object per store
      with 'store' and 'findings', or with 'failure'; ndjson prints one of them per line. SARIF
      has a run per store, in a category of its own (GitHub takes 20 runs per file), and
      JUnit a suite. In the shell it checks the open store.

      A baseline written for one store applies to every store. A baseline written for several applies to each store by
      its path, identifier or file name, and --write-baseline replaces only the parts of the stores checked. In SARIF,
      accepted findings are 'unchanged' and those that are gone 'absent'. GitHub ignores that and keeps its own record
      of dismissed alerts: upload a log without --baseline there.

      Exit code: 0, or 1 if something at or above --fail-on was found, or 2 if a store
      couldn't be read. In JSON, notes are called 'info', which --fail-on takes as well.

      Examples:
        storescope doctor App.store
        storescope doctor App.store --verbose --rule history-bloat
        storescope doctor App.store --thorough
        storescope doctor App.store --assume-cloudkit
        storescope doctor App.store --validate
        storescope doctor Fixtures/*.store --format junit > doctor.xml
        storescope doctor App.store --format sarif > storescope.sarif
        storescope doctor App.store --write-baseline findings.json
        storescope doctor App.store --baseline findings.json --fail-on warning
        storescope doctor App.store --set history-bloat.days=30
      """,
    formats: Format.common + [.sarif, .junit],
    documents: [
      DocumentForm("of one store", payload: "findings", Diagnosis.fields.keys()),
      DocumentForm(
        "of several stores", store: .never, payload: "stores",
        [
          .init(
            "stores",
            .list(
              .either([
                .object([DoctorResult.store] + Diagnosis.fields.keys()),
                .object([DoctorResult.store, .init("failure", .text, "why it can't be read")]),
              ])), "what there is to say of each")
        ]),
    ]
  ) { invocation in
    let run = try DoctorRun(invocation)
    return try invocation.stores.isEmpty ? run.ofOne(invocation.store()) : run.ofSeveral(invocation.stores)
  }
}
