import Base
import Diagnostics
import Lens
import Rendering
import SQLite

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

/// What the words typed behind `doctor` and `rules` mean.
enum DoctorArguments {
  /// All rules where none is named, with those on request if they are asked for.
  static func rules(_ ids: [String], validates: Bool) throws(UsageError) -> [Rule] {
    for id in ids { _ = try rule(id) }
    let known = RuleRegistry.all + RuleRegistry.onRequest
    guard ids.isEmpty else {
      return known.filter { rule in
        ids.contains(rule.id) || (validates && RuleRegistry.onRequest.contains { $0.id == rule.id })
      }
    }
    return validates ? known : RuleRegistry.all
  }

  static func rule(_ id: String) throws(UsageError) -> Rule {
    guard let rule = RuleRegistry.rule(id) else {
      let ids = (RuleRegistry.all + RuleRegistry.onRequest).map(\.id)
      let word = id.lowercased()
      let named = word.isEmpty ? [] : ids.filter { $0.split(separator: "-").contains { $0.hasPrefix(word) } }
      let suggestion =
        switch named.count {
        case 0: Suggestion.sentence(for: ids.first { $0.hasPrefix(word) } ?? id, in: ids)
        case 1: Suggestion.question(named[0])
        default: " Rules with that word: \(named.joined(separator: ", "))."
        }
      throw .conflict("There is no rule '\(id)'.\(suggestion) 'storescope rules' lists them.")
    }
    return rule
  }

  /// `history-bloat.days=30`
  static func settings(_ words: [String]) throws(UsageError) -> [String: Double] {
    var settings: [String: Double] = [:]
    for word in words {
      let sides = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = sides[0].split(separator: ".", omittingEmptySubsequences: false)
      guard sides.count == 2, name.count == 2, let value = Double(String(sides[1])), value.isFinite else {
        throw .conflict("'--set' takes RULE.NAME=NUMBER, such as history-bloat.days=30, not '\(word)'.")
      }
      let rule = try rule(String(name[0]))
      let names = rule.header.thresholds.map(\.name)
      guard names.contains(String(name[1])) else {
        let known = names.isEmpty ? "It has none." : "It has: \(names.joined(separator: ", "))."
        throw .conflict("The rule '\(rule.id)' has no threshold '\(name[1])'. \(known)")
      }
      settings[String(sides[0])] = value
    }
    return settings
  }

  /// How the mirror stands, nil without one; or why that can't be found out.
  static func mirror(of open: OpenStore) throws -> (summary: MirrorSummary?, problem: String?) {
    do { return (try open.mirror().map(MirrorSummary.init), nil) } catch let error as SQLiteError
      where error.isInterrupt
    {
      throw error
    } catch { return (nil, Doctor.sentence(error)) }
  }

  private static let baselineLimit = 64 << 20

  static func baseline(_ path: String) throws -> BaselineFile {
    let bytes = try FileReader.bytes(of: path, limit: baselineLimit)
    return try BaselineFile(json: String(decoding: bytes, as: UTF8.self), path: path)
  }

  /// Replaces a baseline, of several stores only the parts of those checked; anything else that bears the name stays, the
  /// stores above all.
  static func writeBaseline(
    of reports: [DoctorDocument], to path: String, keeping stores: [String]
  ) throws {
    for store in stores { try StoreFileGuard.check(path, keeping: store) }
    var former: BaselineFile?
    if FileReader.kind(of: path) != nil {
      former = try? self.baseline(path)
      guard former != nil else {
        throw StoreScopeError(
          .occupied, path, "already exists and isn't a baseline, so it was left alone",
          advice: "choose another name for --write-baseline")
      }
    }
    let baseline = BaselineFile(
      reports.map { ($0.identity.path, $0.identity.uuid, $0.diagnosis) }, replacing: former)
    // Its marks are hashes of names and keys, which can be guessed.
    let rights = stores.reduce(FileRights.ordinary) {
      $0.intersection(FileRights(like: StoreSource.file(of: $1)))
    }
    try FileWriter.write(JSONText.compact(baseline.value) + "\n", to: path, rights: rights)
  }
}
