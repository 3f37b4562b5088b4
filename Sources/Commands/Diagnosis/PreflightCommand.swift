import Base
import Diagnostics
import Lens
import Rendering
import SQLite

extension Command {
  static let preflight = Command(
    "preflight", summary: "what the app's next launch does to the store",
    options: [
      OptionDefinition(
        .model, value: "PATH", kind: .file, isRepeatable: true,
        help:
          "the app's model, app bundle, or a store that the new version has made; repeat it for models that the app merges (default: the store's own)"
      ),
      OptionDefinition(.cloudKit, help: "assume that the app mirrors the store, even if it doesn't yet"),
      OptionDefinition(.exitCode, help: "exit with 1 unless the verdict is 'safe'"),
    ],
    discussion: """
      Step by step, in the framework's order: whether the store opens, whether its model migrates, and what setup,
      account, token, import and export do. The verdict comes first: safe, fails, losesData or unknown. What depends
      on the server, the account or the app's code is 'likely'; the rest is certain ('sure' in JSON). Only the first
      obstacles or losses are listed; --verbose and 'reasons' in JSON have all of them.

      PATH is a .momd, .mom, .xcdatamodeld or .xcdatamodel, or an app that holds some. Apps with SwiftData have
      their model in code: pass a store that the new version has made. The current version is compared with the model that wrote the store, by Apple's rules for lightweight
      migration, and with the store's rows: entities and attributes that are removed with values, and
      attributes that become required while rows have none. 'entities --diff' lists the differences.
      Several models are merged, as the app merges them; pass versions of one model as a .momd.

      Examples:
        storescope preflight App.store
        storescope preflight App.store --model App.app
        storescope preflight Old.store --model New.store
        storescope preflight App.store --model New.momd --cloudkit --exit-code --json
      """,
    documents: [DocumentForm(payload: "steps", LaunchForecast.fields.keys())]
  ) { invocation in
    let session = try invocation.store()
    let open = try session.open()
    // The check of the file reads all of it, and counting rows may take as long.
    open.connection.onProgress(everyInstructions: 100_000) {
      invocation.progress.phase("checking the store")
      return !Interruption.isWatched || !Interruption.isRequested
    }
    let paths = invocation.arguments.all(.model)
    let app =
      try paths.isEmpty
      ? nil
      : AppModel(
        paths,
        ofStore: { try ModelSide.isStore($0) ? session.model(ofStore: $0, for: "--model").candidate : nil },
        of: open.store)
    let assumed = try invocation.arguments.has(.cloudKit) && open.mirror() == nil
    let forecast = try LaunchForecast(open, app, assumesCloudKit: assumed)
    let wording = invocation.wording
    let fails = invocation.arguments.has(.exitCode) && forecast.verdict != .safe
    return Outcome(
      Document(
        command: "preflight", store: try session.identity(), payload: "steps", LaunchForecast.fields,
        of: forecast,
        blocks: forecast.blocks(
          forecast.headline(knowsModel: app != nil, assumesCloudKit: assumed), wording,
          isWhole: invocation.isVerbose)
      ).worded(wording),
      exitCode: fails ? 1 : Application.ExitCode.done)
  }
}

extension LaunchForecast {
  fileprivate func blocks(_ headline: String, _ wording: CommandWording, isWhole: Bool) -> [Document.Block] {
    [.text(headline)] + (decisive?.fix.map { [.text("Fix: \($0)")] } ?? [])
      + (decisive?.list(isWhole: isWhole) ?? []) + [.text(""), .table(table(wording))]
  }

  fileprivate func headline(knowsModel: Bool, assumesCloudKit: Bool) -> String {
    guard let step = decisive else {
      let launch = assumesCloudKit ? "the first launch with CloudKit" : "the next launch"
      let unless = knowsModel ? "" : ", unless the app's model has changed ('--model' checks it)"
      return "Safe\(unless), as far as the store shows: nothing in it prevents \(launch) from succeeding."
    }
    if let alarm = step.alarm { return "\(alarm) \(step.because)" }
    let probably = step.isSure ? "" : "probably "
    let place = "\(step.place)\(step.errorText.map { " (\($0))" } ?? "")"
    let launch = assumesCloudKit && step.stage == .setUpMirror ? "first launch with CloudKit" : "next launch"
    return switch step.outcome {
    case .wipes: "The \(launch) \(probably)deletes data during \(place). \(step.because)"
    case .fails: "The \(launch) \(probably)fails during \(place). \(step.because)"
    default: "The store doesn't show whether \(place) succeeds. \(step.because)"
    }
  }

  fileprivate func table(_ wording: CommandWording) -> RowStream {
    RowStream(
      columns: [.init("step"), .init("outcome"), .init("because")],
      rows: runs.map { run in
        let step = run.first
        let outcome =
          step.isSure || step.outcome == .unknown ? step.outcome.words : "likely \(step.outcome.words)"
        let because = step == decisive ? "See above." : wording.worded(step.because)
        let stage = run.last == step.stage ? step.stage.words : "\(step.stage.words) to \(run.last.words)"
        return [.text(stage), .text(outcome), .text(because)]
      }, emptyText: "(no steps)"
    ).withSentences()
  }

  /// Steps that follow each other and come to the same, together.
  private var runs: [(first: Step, last: Stage)] {
    var runs: [(first: Step, last: Stage)] = []
    for step in steps {
      if let last = runs.last?.first, last.outcome == step.outcome, last.because == step.because {
        runs[runs.count - 1].last = step.stage
      } else {
        runs.append((step, step.stage))
      }
    }
    return runs
  }
}

extension LaunchForecast.Step {
  private static let mostListed = 5

  /// Everything that the outcome rests on, where it is more than the headline says.
  fileprivate func list(isWhole: Bool) -> [Document.Block] {
    // The headline may say all of it already.
    let isSaid = reasons.allSatisfy { reason in
      (reason.fix == nil || reason.fix == fix) && because.contains(reason.because.dropLast())
    }
    guard !isSaid else { return [] }
    let title =
      switch outcome {
      case .wipes: "All that is lost"
      case .fails: "All obstacles"
      default: "All reasons"
      }
    let shown = isWhole ? reasons.count : Self.mostListed
    let lines = reasons.prefix(shown).map { reason in
      // Where each needs the same, it stands above.
      let fix = reason.fix.flatMap { $0 == self.fix ? nil : " \($0)" } ?? ""
      return "  • \(reason.because)\(fix)"
    }
    let more = reasons.count - lines.count
    let rest = more > 0 ? ["  … and \(Sentence.number(more)) more: --verbose lists all"] : []
    return [
      .text("\n\(title) (\(Sentence.number(reasons.count))):\n" + (lines + rest).joined(separator: "\n"))
    ]
  }

  /// A store that lacks a column still opens.
  fileprivate var place: String {
    stage == .open && code == LaunchForecast.failedFetch ? "the first fetch" : stage.noun
  }

  /// `NSCocoaErrorDomain 134301`, `CKErrorDomain 25`
  fileprivate var errorText: String? {
    code.map { code in
      Int(code) == nil
        ? code.split(separator: ":").joined(separator: " ") : "NSCocoaErrorDomain \(code)"
    }
  }
}

extension LaunchForecast.Outcome {
  fileprivate var words: String { self == .wipes ? "deletes data" : rawValue }
}

extension LaunchForecast.Stage {
  fileprivate var words: String { names.short }
  fileprivate var noun: String { names.long }

  private var names: (short: String, long: String) {
    switch self {
    case .open: ("open", "opening the store")
    case .migrate: ("migrate", "the migration")
    case .setUpMirror: ("setup", "the mirror's setup")
    case .checkAccount: ("account", "the account check")
    case .checkToken: ("token", "the token check")
    case .import: ("import", "the import")
    case .export: ("export", "the export")
    }
  }
}
